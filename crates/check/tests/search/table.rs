//! 種から作る、でたらめな模型。手は、部品に代入し、入れ替え、写し、触れるだけのこともある。

use check::{Broken, Model, Monitor, Part, Parts, Visitor};
use oorandom::Rand64;

/// 型の違う部品と、同じ型の部品の混ざった状態。
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bag {
    pub numbers: [Part<u8>; 3],
    pub names: Part<String>,
    pub flag: Part<bool>,
}

impl Parts for Bag {
    fn visit(&mut self, visitor: &mut impl Visitor) {
        let Bag { numbers, names, flag } = self;
        numbers.visit(visitor);
        names.visit(visitor);
        flag.visit(visitor);
    }
}

#[derive(Clone, Copy, Debug)]
enum Deed {
    Set(usize, u8),
    Add(usize, u8),
    Swap(usize, usize),
    Copy(usize, usize),
    Touch(usize),
    Push(char),
    Clear,
    Flip,
}

/// 手の一つ。条件を満たすときだけ演じられる。
#[derive(Clone, Copy, Debug)]
struct Rule {
    needs: (usize, u8),
    deeds: [Deed; 2],
}

#[derive(Clone, Debug)]
pub struct Table {
    rules: Vec<Rule>,
}

impl Table {
    pub fn of(seed: u64) -> Table {
        let mut random = Rand64::new(seed.into());
        let count = 3 + pick(&mut random, 5);
        Table { rules: (0..count).map(|_| rule(&mut random)).collect() }
    }
}

fn pick(random: &mut Rand64, below: u64) -> u64 {
    random.rand_range(0..below)
}

fn rule(random: &mut Rand64) -> Rule {
    let needs = (pick(random, 3) as usize, pick(random, 4) as u8);
    Rule { needs, deeds: [deed(random), deed(random)] }
}

fn deed(random: &mut Rand64) -> Deed {
    let (one, other) = (pick(random, 3) as usize, pick(random, 3) as usize);
    let number = pick(random, 6) as u8;
    match pick(random, 9) {
        0 => Deed::Set(one, number),
        1 | 2 => Deed::Add(one, 1 + number),
        3 => Deed::Swap(one, other),
        4 => Deed::Copy(one, other),
        5 => Deed::Touch(one),
        6 => Deed::Push(if number.is_multiple_of(2) { 'a' } else { 'b' }),
        7 => Deed::Clear,
        _ => Deed::Flip,
    }
}

impl Model for Table {
    type State = Bag;
    type Action = usize;
    type Event = (usize, u8);

    fn start(&self) -> Bag {
        let numbers = [0, 1, 2].map(Part::new);
        Bag { numbers, names: Part::new(String::new()), flag: Part::new(false) }
    }

    fn actions(&self, bag: &Bag, out: &mut Vec<usize>) {
        let may = |rule: &Rule| *bag.numbers[rule.needs.0] >= rule.needs.1;
        out.extend((0..self.rules.len()).filter(|index| may(&self.rules[*index])));
    }

    fn step(&self, bag: &mut Bag, action: usize, events: &mut Vec<(usize, u8)>) -> bool {
        for deed in self.rules[action].deeds {
            match deed {
                Deed::Set(one, number) => *bag.numbers[one] = number,
                Deed::Add(one, number) => *bag.numbers[one] = (*bag.numbers[one] + number) % 7,
                Deed::Swap(one, other) => bag.numbers.swap(one, other),
                Deed::Copy(one, other) => bag.numbers[one] = bag.numbers[other],
                Deed::Touch(one) => bag.numbers[one] = Part::new(*bag.numbers[one]),
                Deed::Push(letter) if bag.names.len() < 3 => bag.names.push(letter),
                // 名前が長すぎれば、半分だけ変えた状態で断る。
                Deed::Push(_) => return false,
                Deed::Clear => bag.names.clear(),
                Deed::Flip => *bag.flag = !*bag.flag,
            }
        }
        events.push((action, *bag.numbers[0]));
        true
    }
}

/// 性質 0: 数 0 は 6 にならない。性質 1: 数 0 は、三度続けて増えない。性質 5: 初めの手は、5 回まで。
pub struct Watching;

/// 数 0 の前の値と、続けて増えた回数。もう一つは、初めの手の数。
pub type Remembered = (Part<(u8, u8)>, Part<u8>);

impl Monitor<(usize, u8)> for Watching {
    type Memory = Remembered;

    fn start(&self) -> Remembered {
        (Part::new((0, 0)), Part::new(0))
    }

    fn hear(&self, (rising, firsts): &mut Remembered, event: &(usize, u8), broken: &mut Broken) {
        let (action, number) = *event;
        if number == 6 {
            broken.add(0);
        }
        let (before, times) = **rising;
        let times = if number > before { (times + 1).min(3) } else { 0 };
        if times == 3 {
            broken.add(1);
        }
        if **rising != (number, times) {
            **rising = (number, times);
        }
        if action == 0 && **firsts < 6 {
            **firsts += 1;
        }
        if **firsts == 6 && action == 0 {
            broken.add(5);
        }
    }
}
