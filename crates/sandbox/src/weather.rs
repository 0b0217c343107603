//! The weather of the world: how long its websites make their visitors wait.
//!
//! A [`Forecast`] is a pure function of seed, host and path, so that a benchmark can compute the waits of a crawl without running it.
//! Waits have a heavy tail, as on the web: the median page takes a quarter of a second, one in twenty more than three seconds. A
//! slow website is slow on all of its pages.

use std::time::Duration;

use crate::random::{Purpose, Random, key_of};

/// Websites that accept a connection and say nothing, in percent.
const SILENT: f64 = 2.0;
/// Websites that reset every connection, in percent.
const RESETS: f64 = 3.0;

/// Times are log-normal: the median in seconds, and the standard deviation of the logarithm.
const DNS: (f64, f64) = (0.015, 1.0);
const CONNECT: (f64, f64) = (0.035, 0.8);
const TLS: (f64, f64) = (0.045, 0.8);
const FIRST_BYTE: (f64, f64) = (0.22, 1.59);

/// Part of the variance of the first byte that all pages of a website share.
const SHARED_VARIANCE: f64 = 0.3;

/// Longest each step before the first request takes, in seconds: the three together stay within what readers wait for a connection.
const SET_UP_STEP_SECONDS_MAX: f64 = 1.0;
/// Longest wait for a first byte, in seconds: less than readers wait. Websites that take longer count as silent ones.
const FIRST_BYTE_SECONDS_MAX: f64 = 10.0;

/// Bytes a second of the slowest and of the fastest website.
const SLOWEST_BYTES_PER_SECOND: f64 = 200_000.0;
const FASTEST_BYTES_PER_SECOND: f64 = 5_000_000.0;

/// How long the websites of the world take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum Weather {
    /// They answer at once, over HTTP.
    #[default]
    Calm,
    /// They take as long as websites on the web, over HTTPS.
    Web,
}

impl Weather {
    /// The scheme of the addresses of websites.
    pub fn scheme(self) -> &'static str {
        match self {
            Weather::Calm => "http",
            Weather::Web => "https",
        }
    }
}

/// How a website takes connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It answers.
    Answers,
    /// It accepts a connection and never says anything.
    Silent,
    /// It resets every connection.
    Resets,
}

/// What visitors of one website have to expect.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// How it takes connections.
    pub reach: Reach,
    /// Until its name is resolved.
    pub dns: Duration,
    /// Until a connection is open.
    pub connect: Duration,
    /// Until that is secured.
    pub tls: Duration,
    /// How fast it sends bodies.
    pub bytes_per_second: u32,
    seed: u64,
    host: u64,
    /// How slow it is, as all of its pages share it.
    slowness: f64,
}

impl Forecast {
    /// The forecast for a host, with or without a port and `www.`.
    pub fn of(seed: u64, host: &str) -> Forecast {
        let host = host.split(':').next().unwrap_or(host).trim_end_matches('.').to_ascii_lowercase();
        let host = key_of(host.strip_prefix("www.").unwrap_or(&host));
        let mut random = Random::of(seed, Purpose::Weather, &[host]);
        let drawn = random.unit() * 100.0;
        let reach = match drawn {
            _ if drawn < SILENT => Reach::Silent,
            _ if drawn < SILENT + RESETS => Reach::Resets,
            _ => Reach::Answers,
        };
        let [dns, connect, tls] =
            [DNS, CONNECT, TLS].map(|step| log_normal(step, random.normal(), SET_UP_STEP_SECONDS_MAX));
        let range = (FASTEST_BYTES_PER_SECOND / SLOWEST_BYTES_PER_SECOND).ln();
        let bytes_per_second = (SLOWEST_BYTES_PER_SECOND * (range * random.unit()).exp()) as u32;
        Forecast { reach, dns, connect, tls, bytes_per_second, seed, host, slowness: random.normal() }
    }

    /// The time before the first request on a new connection.
    pub fn set_up(&self) -> Duration {
        self.dns + self.connect + self.tls
    }

    /// The time from the request for a path to the first byte of its response.
    pub fn first_byte(&self, path_and_query: &str) -> Duration {
        let path = path_and_query.split(['?', '#']).next().unwrap_or("/");
        let own = Random::of(self.seed, Purpose::Weather, &[self.host, key_of(path)]).normal();
        let slowness = SHARED_VARIANCE.sqrt() * self.slowness + (1.0 - SHARED_VARIANCE).sqrt() * own;
        log_normal(FIRST_BYTE, slowness, FIRST_BYTE_SECONDS_MAX)
    }

    /// The time in which so many bytes of a body arrive.
    pub fn body(&self, bytes: usize) -> Duration {
        Duration::from_secs_f64(bytes as f64 / f64::from(self.bytes_per_second))
    }
}

/// The time at a point of the normal distribution, at most `seconds_max`.
fn log_normal((median, deviation): (f64, f64), normal: f64, seconds_max: f64) -> Duration {
    Duration::from_secs_f64((median * (deviation * normal).exp()).min(seconds_max))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 6] = ["/robots.txt", "/", "/contact", "/about", "/team", "/services"];

    fn forecasts(count: usize) -> impl Iterator<Item = Forecast> {
        (0..count).map(|number| Forecast::of(20_261_115, &format!("site-{number}.localhost")))
    }

    #[test]
    fn pages_take_a_quarter_of_a_second_and_one_in_twenty_more_than_three() {
        let mut seconds: Vec<f64> = Vec::new();
        for forecast in forecasts(4_000) {
            for (at, path) in PATHS.into_iter().enumerate() {
                let set_up = if at == 0 { forecast.set_up() } else { Duration::ZERO };
                seconds.push((set_up + forecast.first_byte(path)).as_secs_f64());
            }
        }
        assert!(seconds.len() >= 20_000);
        seconds.sort_by(f64::total_cmp);
        let at = |share: f64| seconds[(seconds.len() as f64 * share) as usize];
        let slow = seconds.iter().filter(|seconds| **seconds > 3.0).count() as f64 / seconds.len() as f64;
        assert!((0.23..0.27).contains(&at(0.5)), "the median is {}", at(0.5));
        assert!((0.043..0.057).contains(&slow), "{slow} take more than 3 s");
        assert!(at(0.99) > 6.0 && at(1.0 - f64::EPSILON) < 12.0, "{} {}", at(0.99), at(1.0 - f64::EPSILON));
    }

    #[test]
    fn a_few_websites_are_silent_or_reset_connections_and_speeds_cover_their_range() {
        let forecasts: Vec<Forecast> = forecasts(20_000).collect();
        let share = |reach| forecasts.iter().filter(|one| one.reach == reach).count() as f64 / forecasts.len() as f64;
        assert!((0.017..0.023).contains(&share(Reach::Silent)), "{}", share(Reach::Silent));
        assert!((0.026..0.034).contains(&share(Reach::Resets)), "{}", share(Reach::Resets));
        let speeds = || forecasts.iter().map(|one| one.bytes_per_second);
        assert!(speeds().all(|speed| (200_000..=5_000_000).contains(&speed)));
        let slow = speeds().filter(|speed| *speed < 1_000_000).count() * 2;
        assert!((19_000..21_000).contains(&slow), "half are slower than the geometric mean: {slow}");
        assert!(forecasts.iter().all(|one| one.set_up() < Duration::from_secs(4)));
    }

    #[test]
    fn the_same_seed_host_and_page_have_the_same_weather_whatever_the_spelling() {
        let known = Forecast::of(1, "joes-1.localhost");
        for spelling in ["joes-1.localhost:8443", "www.joes-1.localhost", "JOES-1.localhost.", "joes-1.localhost"] {
            let again = Forecast::of(1, spelling);
            assert_eq!(again, known, "{spelling}");
            assert_eq!(again.first_byte("/contact?a=1"), known.first_byte("/contact"));
        }
        for other in [Forecast::of(2, "joes-1.localhost"), Forecast::of(1, "joes-2.localhost")] {
            assert_ne!(other.first_byte("/"), known.first_byte("/"));
        }
        assert_ne!(known.first_byte("/"), known.first_byte("/contact"));
    }

    #[test]
    fn a_slow_website_is_slow_on_its_other_pages_too() {
        let both: Vec<(f64, f64)> = forecasts(4_000)
            .map(|one| [one.first_byte("/"), one.first_byte("/contact")].map(|wait| wait.as_secs_f64().ln()))
            .map(|[home, contact]| (home, contact))
            .collect();
        let count = both.len() as f64;
        let mean = both.iter().map(|(home, _)| home).sum::<f64>() / count;
        let variance = both.iter().map(|(home, _)| (home - mean).powi(2)).sum::<f64>() / count;
        let shared = both.iter().map(|(home, contact)| (home - mean) * (contact - mean)).sum::<f64>() / count;
        assert!((0.22..0.38).contains(&(shared / variance)), "{}", shared / variance);
    }

    #[test]
    fn a_body_takes_as_long_as_its_bytes() {
        let forecast = Forecast { bytes_per_second: 200_000, ..Forecast::of(1, "joes-1.localhost") };
        assert_eq!(forecast.body(100_000), Duration::from_millis(500));
    }
}
