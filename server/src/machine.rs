//! The memory of the machine, or of the container that the server runs in.

use std::{fs, path::Path};

/// The fraction of the memory for games unless the command line sets another size.
const PART_OF_GAMES: u64 = 4;

/// Bytes for games on a machine whose memory is unknown.
const UNKNOWN: u64 = 256 << 20;

/// Minimum number of bytes for games on a very small machine: with fewer, games would be evicted all the time.
const LEAST: u64 = 32 << 20;

/// Returns the bytes of memory for games: a quarter of the smallest of the machine's memory and the limits of the
/// process's control groups.
pub(crate) fn memory_for_games() -> usize {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let groups = groups(&own).into_iter().filter_map(|path| limit(&fs::read_to_string(path).ok()?));
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text));
    share(groups.chain(machine).min())
}

fn share(n_bytes: Option<u64>) -> usize {
    let share = n_bytes.map_or(UNKNOWN, |n_bytes| n_bytes / PART_OF_GAMES).max(LEAST);
    usize::try_from(share).unwrap_or(usize::MAX)
}

/// Returns the limit files of the control groups in `/proc/self/cgroup`, and of their ancestors. In a container the
/// group's own folder is usually the root of the visible hierarchy.
fn groups(own: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in own.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let above = Path::new(path).ancestors().filter_map(Path::to_str);
        files.extend(above.map(|path| format!("{root}/{}/{file}", path.trim_matches('/'))));
    }
    files
}

/// Parses a limit file; `None` without a limit. Version 1 of control groups has a huge number then.
fn limit(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|limit| *limit < 1 << 60)
}

/// Parses the bytes of memory in `/proc/meminfo`.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_get_a_quarter_of_the_memory_of_the_machine_or_container() {
        for (n_bytes, expected) in
            [(None, 256 << 20), (Some(2 << 30), 512 << 20), (Some(0), 32 << 20), (Some(64 << 20), 32 << 20)]
        {
            assert_eq!(share(n_bytes), expected, "{n_bytes:?}");
        }
        assert!(memory_for_games() >= share(Some(0)));
    }

    #[test]
    fn limits_are_read_as_the_kernel_writes_them_and_anything_else_is_none() {
        assert_eq!(total("MemTotal:        8131188 kB\nMemFree: 1 kB\n"), Some(8_131_188 * 1024));
        for text in ["", "MemTotal: much kB", "MemTotal: 1", "MemTotal: 18446744073709551615 kB"] {
            assert_eq!(total(text), None, "{text}");
        }
        for (text, expected) in
            [("max\n", None), ("536870912\n", Some(536_870_912)), ("9223372036854771712", None), ("", None)]
        {
            assert_eq!(limit(text), expected, "{text}");
        }
    }

    #[test]
    fn the_groups_of_both_versions_count_and_all_above_them() {
        let second = ["/a/b", "/a", "/"];
        for (text, expected) in [
            (
                "0::/a/b\n",
                second.map(|path| format!("/sys/fs/cgroup/{}/memory.max", path.trim_matches('/'))).to_vec(),
            ),
            ("3:cpu:/x\n2:rss,memory:/\n", vec!["/sys/fs/cgroup/memory//memory.limit_in_bytes".to_owned()]),
            ("nonsense\n\n1:\n2:cpu:/", vec![]),
        ] {
            assert_eq!(groups(text), expected, "{text}");
        }
    }
}
