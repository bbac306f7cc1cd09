use std::{
    collections::{HashMap, HashSet, VecDeque},
    fmt,
};

use game::ids::PlayerId;
use tokio::sync::oneshot;

use super::{ComputeError, Requester};
use crate::{metrics::Counted, net::address::Network};

/// A queued piece of work.
pub(super) struct Job {
    pub(super) requester: Requester,
    pub(super) work: Box<dyn FnOnce() + Send>,
    /// Receives the reason if the work is refused.
    pub(super) refuse: oneshot::Sender<ComputeError>,
    pub(super) waiting: Counted,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("requester", &self.requester).finish_non_exhaustive()
    }
}

/// A job's subscriber and its number among all jobs of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JobId(Option<Network>, u64);

/// The queued jobs, and the players and addresses with running jobs. The addresses of one subscriber count as one.
#[derive(Debug)]
pub(super) struct Queue {
    lines: HashMap<Option<Network>, Line>,
    /// The addresses with queued jobs, the next one to be served first.
    turns: VecDeque<Option<Network>>,
    /// The players with a running job.
    players: HashSet<PlayerId>,
    n_waiting: usize,
    n_pushed: u64,
    running_per_address: usize,
    waiting_per_address: usize,
    waiting_in_all: usize,
}

/// The queued jobs of an address; never empty.
#[derive(Debug, Default)]
struct Line {
    waiting: VecDeque<(u64, Job)>,
    n_running: usize,
}

impl Queue {
    /// Returns an empty queue with its limits.
    pub(super) fn new(running_per_address: usize, waiting_per_address: usize, waiting_in_all: usize) -> Self {
        Self {
            lines: HashMap::new(),
            turns: VecDeque::new(),
            players: HashSet::new(),
            n_waiting: 0,
            n_pushed: 0,
            running_per_address,
            waiting_per_address,
            waiting_in_all,
        }
    }

    /// Queues a job. When the whole queue is full, the address with the most queued jobs loses its last one, which is
    /// returned.
    ///
    /// # Errors
    /// The job's address has the maximum number queued, or at least as many as any other address when the queue is
    /// full. The server itself has no address: the games that it wakes after an outage may fill the queue, and give way
    /// to all others.
    pub(super) fn push(&mut self, job: Job) -> Result<(JobId, Option<Job>), Job> {
        let address = job.requester.subscriber();
        let n_own = self.lines.get(&address).map_or(0, |line| line.waiting.len());
        // After an outage the server itself has hundreds of games to check. They give way first when the queue is full.
        let limit = if address.is_some() { self.waiting_per_address } else { self.waiting_in_all };
        if n_own >= limit {
            return Err(job);
        }
        let displaced = if self.n_waiting < self.waiting_in_all {
            None
        } else {
            match self.displace(n_own) {
                Some(displaced) => Some(displaced),
                None => return Err(job),
            }
        };
        let id = JobId(address, self.n_pushed);
        self.n_pushed += 1;
        self.n_waiting += 1;
        let line = self.lines.entry(address).or_default();
        if line.waiting.is_empty() {
            self.turns.push_back(address);
        }
        line.waiting.push_back((id.1, job));
        Ok((id, displaced))
    }

    /// Removes the last job of the address with the most queued jobs, if it has more than `n_own` + 1.
    fn displace(&mut self, n_own: usize) -> Option<Job> {
        let (&address, line) = self.lines.iter().max_by_key(|(_, line)| line.waiting.len())?;
        if line.waiting.len() <= n_own + 1 {
            return None;
        }
        let &(number, _) = line.waiting.back()?;
        self.remove(JobId(address, number))
    }

    /// Removes the next job that may run: the oldest of the first address in turn that has one.
    pub(super) fn pop(&mut self) -> Option<Job> {
        let (turn, id) = self.turns.iter().enumerate().find_map(|(turn, address)| {
            let line = &self.lines[address];
            if line.n_running >= self.running_per_address {
                return None;
            }
            let is_free =
                |player: Option<PlayerId>| player.is_none_or(|player| !self.players.contains(&player));
            let (number, _) = line.waiting.iter().find(|(_, job)| is_free(job.requester.player))?;
            Some((turn, JobId(*address, *number)))
        })?;
        if let Some(address) = self.turns.remove(turn) {
            self.turns.push_back(address);
        }
        self.lines.entry(id.0).or_default().n_running += 1;
        let job = self.remove(id)?;
        self.players.extend(job.requester.player);
        Some(job)
    }

    /// Records that a job of this requester has finished.
    pub(super) fn done(&mut self, requester: Requester) {
        if let Some(player) = requester.player {
            self.players.remove(&player);
        }
        let address = requester.subscriber();
        if let Some(line) = self.lines.get_mut(&address) {
            line.n_running -= 1;
            if line.n_running == 0 && line.waiting.is_empty() {
                self.lines.remove(&address);
            }
        }
    }

    /// Removes a job, if it is still queued.
    pub(super) fn remove(&mut self, id: JobId) -> Option<Job> {
        let line = self.lines.get_mut(&id.0)?;
        let index = line.waiting.iter().position(|(number, _)| *number == id.1)?;
        let (_, job) = line.waiting.remove(index)?;
        self.n_waiting -= 1;
        if line.waiting.is_empty() {
            self.turns.retain(|address| *address != id.0);
            if line.n_running == 0 {
                self.lines.remove(&id.0);
            }
        }
        Some(job)
    }

    /// Removes all queued jobs.
    pub(super) fn clear(&mut self) -> Vec<Job> {
        let mut jobs = Vec::with_capacity(self.n_waiting);
        self.lines.retain(|_, line| {
            jobs.extend(line.waiting.drain(..).map(|(_, job)| job));
            line.n_running > 0
        });
        self.turns.clear();
        self.n_waiting = 0;
        jobs
    }
}
