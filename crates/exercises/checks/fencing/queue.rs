//! 検査: 積んだときのトークンが、ジョブキューを通って資源まで運ばれること。
//! トークンとロックの状態の組は、小さい範囲ですべて試す。

use anyhow::{Result, bail, ensure};
use fencing::{FencedResource, Resource};
use lease::{Lock, LockService};
use stage::Action::{self, Acquire, Deliver, Release, Send, Tick};
use stage::Client::{A, B};
use stage::{
    Client, ClientView, Condition, Event, Events, Impossible, Observation, ResourceView, Run,
    System, Time, Token, Value,
};

use crate::feedback;

/// 資源へ送る書き込み。
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// 書く値
    pub value: Value,
    /// 添えるトークン
    pub token: Token,
}

/// 読者が書く二つの関数。間を運ばれるジョブの形 `J` も、読者が決める。
#[derive(Clone, Copy, Debug)]
pub struct Pipeline<J> {
    /// 持ち主が、今の保持のトークン `held` で、値を書くジョブを積む
    pub enqueue: fn(held: Token, value: Value) -> J,
    /// ワーカーが、あとでジョブを取り出して、書き込みを作る。ロックサービスに尋ねることもできる
    pub perform: fn(job: J, service: &LockService) -> Write,
}

/// リースの長さ。単位は刻み。
const LENGTH: Time = 10;
/// 試すトークンの数。
const RANGE: u64 = 4;

/// 答えを確かめる。
///
/// # Errors
/// 積んだときの値かトークンが一つでも変わって届けば、その理由と時系列を返す。
pub fn check<J: Clone>(answer: Pipeline<J>) -> Result<()> {
    for held in (1..=RANGE).map(Token) {
        // 積んだあとで、ほかの客が取得しているかもしれない。
        for service in services()?.into_iter().filter(|service| held <= service.issued()) {
            let value = Value { by: A, nth: 1 };
            let write = (answer.perform)((answer.enqueue)(held, value), &service);
            ensure!(write.value == value, "積んだ値と違う値が書かれた。ほかの行の仕事が消える。");
            if write.token != held {
                let symptom = symptom(held, write.token, &service);
                bail!("{symptom}\n\n{}", timelines(answer)?);
            }
        }
    }
    Ok(())
}

/// 取得を何度か重ねたロックサービス。持ち主がいるものと、いないもの。
fn services() -> Result<Vec<LockService>, Impossible> {
    let mut service = LockService::new(LENGTH);
    let mut services = vec![service];
    for _ in 1..=RANGE {
        service.acquire(B)?;
        services.push(service);
        service.tick(LENGTH)?;
        services.push(service);
    }
    Ok(services)
}

fn symptom(held: Token, given: Token, service: &LockService) -> String {
    let place = format!(
        "積んだときのトークンは {held}、取り出したときに最後に配られていたトークンは {} で、書き込みには {given} が添えられた。",
        service.issued()
    );
    let seen = if given > held {
        "キューで遅れた古い持ち主の仕事が、今の持ち主の仕事に見え、新しい値を消す。"
    } else {
        "正しい持ち主の仕事が、古いものとして拒否される。"
    };
    format!("{place}{seen}")
}

/// 持ち主が `Send` で積み、ワーカーが `Deliver` で取り出す舞台。
#[derive(Clone)]
struct Site<J> {
    service: LockService,
    store: FencedResource,
    queue: Vec<(Value, J)>,
    beliefs: [(Client, Option<Token>); 2],
    answer: Pipeline<J>,
}

impl<J: Clone> Site<J> {
    fn new(answer: Pipeline<J>) -> Site<J> {
        Site {
            service: LockService::new(LENGTH),
            store: FencedResource::new(),
            queue: Vec::new(),
            beliefs: [(A, None), (B, None)],
            answer,
        }
    }

    fn belief(&mut self, client: Client) -> Result<&mut Option<Token>, Impossible> {
        let found = self.beliefs.iter_mut().find(|(other, _)| *other == client);
        found.map(|(_, belief)| belief).ok_or(Impossible::UnknownClient(client))
    }
}

impl<J: Clone> System for Site<J> {
    fn apply(&mut self, action: Action) -> Result<Events, Impossible> {
        match action {
            Acquire(client) => {
                let event = self.service.acquire(client)?;
                if let Event::Acquired { token, .. } = event {
                    *self.belief(client)? = Some(token);
                }
                Ok(Events::from_iter([event]))
            }
            Release(client) => {
                *self.belief(client)? = None;
                Ok(Events::from_iter([self.service.release(client)]))
            }
            Tick(ticks) => Ok(Events::from_iter(self.service.tick(ticks)?)),
            Send(by, nth) => {
                let Some(token) = *self.belief(by)? else {
                    return Ok(Events::from_iter([Event::Withheld { client: by }]));
                };
                let value = Value { by, nth };
                self.queue.push((value, (self.answer.enqueue)(token, value)));
                Ok(Events::from_iter([Event::Sent { value, token }]))
            }
            Deliver(by, nth) => {
                let value = Value { by, nth };
                let found = self.queue.iter().position(|(other, _)| *other == value);
                let (_, job) = self.queue.remove(found.ok_or(Impossible::NotInFlight(value))?);
                let write = (self.answer.perform)(job, &self.service);
                Ok(Events::from_iter([self.store.write(write.token, write.value)]))
            }
            _ => Ok(Events::new()),
        }
    }

    fn observe(&self) -> Observation {
        let view = |&(client, belief): &(Client, Option<Token>)| ClientView {
            client,
            condition: Condition::Running,
            belief,
        };
        Observation {
            now: self.service.now(),
            holder: self.service.holder(),
            expiry: self.service.expiry(),
            issued: self.service.issued(),
            resource: Some(ResourceView {
                value: self.store.value(),
                max_token: self.store.max_token(),
            }),
            clients: self.beliefs.iter().map(view).collect(),
        }
    }
}

fn timelines<J: Clone>(answer: Pipeline<J>) -> Result<String> {
    let actions = [
        Acquire(A),
        Send(A, 1),
        Deliver(A, 1), // すぐに取り出された
        Tick(2),
        Send(A, 2), // キューに残った
        Release(A),
        Acquire(B),
        Send(B, 1),
        Deliver(B, 1),
        Tick(3),
        Deliver(A, 2),
        Send(B, 2),
        Release(B),
        Deliver(B, 2), // 持ち主はいないが、まだ誰も追い越していない
    ];
    let right = Pipeline { enqueue: |token, value| Write { token, value }, perform: |job, _| job };
    let expected = Run::play("期待", Site::new(right), &actions)?;
    let actual = Run::play("答え", Site::new(answer), &actions);
    Ok(format!(
        "送信はキューに積んだ手、書込はワーカーが取り出して書いた手\n\n{}",
        feedback::attempt(&expected, actual)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_value_and_a_smaller_token_are_told_apart() {
        let enqueue = |token, value| Write { token, value };
        let told = |perform| check(Pipeline { enqueue, perform }).unwrap_err().to_string();
        let other = |job, _: &LockService| Write { value: Value { by: B, nth: 7 }, ..job };
        assert!(told(other).contains("積んだ値と違う"));
        assert!(told(|job, _| Write { token: Token::NONE, ..job }).contains("古いものとして"));
        assert!(told(|job, _| Write { token: Token(9), ..job }).contains("新しい値を消す"));
    }

    #[test]
    fn the_token_counts_even_when_the_same_holder_has_it_still() {
        let answer = Pipeline {
            enqueue: |token, value| Write { token, value },
            perform: |job, service| {
                let newest = service.issued();
                // 二つより多く遅れたときだけ、新しいトークンにすり替える。
                let token = if job.token.0 + 2 < newest.0 { newest } else { job.token };
                Write { token, ..job }
            },
        };
        assert!(check(answer).is_err());
    }
}
