"""Temperature: a self-made file with every fault of the real one, and the field made of it."""

import gzip
from dataclasses import dataclass

import numpy as np
import pytest

from bolt_core.benchmarks import load, temperature
from bolt_core.benchmarks._intel_lab import SENSORS, read_day
from bolt_core.benchmarks._lab_field import HIGH, LOW, Field, kriging, matern52
from bolt_core.benchmarks._lab_summary import summary
from bolt_core.common.errors import ConfigError, DataError
from tests.support.wording import in_order

DAY = "2004-03-06"
BINS = np.arange(144)
SLOPED = {3, 4, 6, 7, 8, 9}  # linear in time: PCHIP then fills a gap exactly


def truth(mote):
    """C, at the 144 bin centres."""
    swing = 0.0 if mote in SLOPED else 2.0 * np.sin(2 * np.pi * BINS / 144 + mote)
    return 18.0 + 0.1 * mote + 0.01 * BINS + swing


def row(mote, second, celsius, volt="2.63", light="45.08", day=DAY):
    minute, s = divmod(second, 60)
    clock = f"{minute // 60:02d}:{minute % 60:02d}:{s:02d}"
    fraction = ".416123" if s % 2 else ""  # every other time stamp has no fraction
    return f"{day} {clock}{fraction} 23 {mote} {celsius} 40.1 {light} {volt}"


def bin_rows(mote, b, celsius, **how):
    """Three readings whose median is the middle one."""
    return [
        row(mote, 600 * int(b) + second, repr(float(celsius + off)), **how)
        for second, off in ((599, 0.7), (1, -0.4), (302, 0.0))  # uneven: no mean gives it
    ]


@dataclass
class Made:
    """Rows that make a day, and the table that cleaning them must give."""

    rows: list
    table: np.ndarray


def clean_day(day=DAY, motes=SENSORS, first=0):
    rows = [r for m in motes for b in BINS[first:] for r in bin_rows(m, b, truth(m)[b], day=day)]
    return Made(rows, np.column_stack([truth(m)[first:] for m in motes]))


def without(made, mote, bins):
    starts = {row(mote, 600 * b + s, "").split(" 23 ")[0] for b in bins for s in (1, 302, 599)}
    lost = [r for r in made.rows if r.split(" ")[3] == str(mote) and r.split(" 23 ")[0] in starts]
    assert len(lost) == 3 * len(bins)
    gone = set(lost)
    made.rows = [r for r in made.rows if r not in gone]


@pytest.fixture(scope="module")
def faulty():
    made = clean_day()
    column = {mote: made.table[:, i] for i, mote in enumerate(SENSORS)}
    made.rows = [r.replace(" 45.08 ", "  ") if r.split(" ")[3] == "12" else r for r in made.rows]
    without(made, 3, range(100, 106))  # a dying battery: the plateau replaces the readings
    made.rows += [row(3, 600 * b + 60, 122.153, volt="2.03") for b in range(100, 106)]
    without(made, 4, range(70, 75))
    without(made, 6, range(4))
    column[6][:4] = truth(6)[4]
    without(made, 7, range(140, 144))
    column[7][140:] = truth(7)[139]
    without(made, 8, [50])
    made.rows += bin_rows(8, 50, truth(8)[50] + 3.5)  # a spike
    without(made, 9, [60])
    made.rows += bin_rows(9, 60, truth(9)[60] + 2.5)  # not one
    column[9][60] += 2.5
    for second in range(12000, 12600, 60):  # ten more readings than bin 20 has sound ones
        made.rows += [row(1, second, 35.0, volt="2.21"), row(2, second, 9.99)]
        made.rows += [row(10, second, 385.568), row(11, second, -38.4), row(16, second, "")]
        made.rows += [row(bogus, second, 39.0) for bogus in (55, 56, 58, 6485, 33117, 65407)]
        made.rows += [row(28, second, 39.0, light=""), f"{DAY} 03:20:00 23 5    "]
        made.rows += [f"{row(17, second, 39.0)} 1", f"{DAY} 03:20:00.1 23"]
        made.rows += [row(17, second, 39.0, day="2004-03-05")]
    np.random.default_rng(0).shuffle(made.rows)
    return made


@pytest.fixture(scope="module", params=["data.txt", "data.txt.gz"])
def file(request, faulty, tmp_path_factory):
    path = tmp_path_factory.mktemp("lab") / request.param
    return write(path, faulty.rows)


def write(path, rows):
    text = ("\n".join(rows) + "\n").encode()
    path.write_bytes(gzip.compress(text, 1) if path.suffix == ".gz" else text)
    return path


def test_every_fault_of_the_recording_is_cleaned_away(file, faulty):
    data = read_day(file, DAY)

    assert data.sensors == SENSORS
    assert np.allclose(data.values, faulty.table, rtol=0, atol=1e-9)  # rounding only
    assert np.array_equal(data.times, 300 + 600 * BINS)


def test_the_report_counts_what_was_found(file, faulty):
    report = temperature.inspect(file)

    assert report.rows == len(faulty.rows)
    assert report.days == ("2004-03-05", DAY)
    assert (report.gaps, report.spikes) == (6 + 5 + 4 + 4 + 1, 1)
    assert (report.sensors, report.absent, report.begin) == (SENSORS, (), 0.0)
    assert in_order(report.verdict, "not", "published", "checksum differs")


def test_the_report_measures_the_distance_to_the_summary(file, faulty):
    course = temperature.field().sensors(1800 * (300 + 600 * BINS) / 86400)

    assert (summary().times.shape, summary().places.shape) == ((73,), (46, 2))
    assert temperature.inspect(file).rmse == pytest.approx(
        float(np.sqrt(np.mean((course - faulty.table) ** 2))), rel=1e-9
    )


def test_the_source_says_which_data_it_is(file):
    recorded = load("temperature", path=str(file)).source

    assert recorded.startswith(f"Intel Lab recording, {DAY}, from {file.name}")
    assert "checksum differs" in recorded
    assert "not the recording" in load("temperature").source


def test_the_benchmark_is_the_kriged_table(file, faulty):
    benchmark, t = load("temperature", path=str(file)), 1800 * (300 + 600 * 77) / 86400
    x = np.array([0.3, 0.6])

    w = brute_force_weights(summary().places, LOW + (HIGH - LOW) * x, 1e-2)

    assert benchmark.value(x, t) == pytest.approx(w @ faulty.table[77], abs=1e-8)


def test_a_day_that_starts_late_is_stretched_over_the_horizon(tmp_path):
    motes = [m for m in SENSORS if m != 17]
    made = clean_day("2004-02-28", motes, first=6)
    made.rows += [r for m in motes[:41] for r in bin_rows(m, 5, 20.0, day="2004-02-28")]
    file = write(tmp_path / "data.txt", made.rows)

    report = temperature.inspect(file, "2004-02-28")
    course = temperature.field(str(file), "2004-02-28").sensors

    assert (report.begin, report.absent, report.rmse) == (3600.0, (17,), None)
    middle_of_bin_75 = 1800 * (75.5 * 600 - 3600) / (86400 - 3600)
    assert np.allclose(course(np.array(middle_of_bin_75)), made.table[75 - 6], atol=1e-9)
    assert np.allclose(course(np.array([0.0, 1800.0])), made.table[[0, -1]], atol=1e-9)


@pytest.mark.parametrize("day", ["2004-03-10", "2004-02-27", "yesterday", "2004-03-0", 5])
def test_a_day_outside_the_usable_ones_is_refused_by_name(file, day):
    with pytest.raises(ConfigError, match=f"{day}.*2004-02-28 to 2004-03-09"):
        load("temperature", path=str(file), day=day)


def test_the_summary_offers_no_other_day():
    with pytest.raises(ConfigError, match=r"2004-03-07.*path"):
        load("temperature", day="2004-03-07")


def test_a_day_that_the_file_does_not_have_is_named(file):
    with pytest.raises(DataError, match=f"no 2004-03-04; it has 2004-03-05, {DAY}"):
        load("temperature", path=str(file), day="2004-03-04")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not in the format"),
        (b"sec,1,2\n300,20.4,20.7\n", "not in the format"),
        (b"\x00\xff\xfe\x80" * 50, "not in the format"),
        (gzip.compress(b"2004-03-06 00:00:01 1 1 20 40 45 2.6\n" * 99)[:-20], "cannot be read"),
        (b"It was a dark and stormy night; the rain fell in torrents.\n", "not in the format"),
        (b"2004-03-06 00:00:01 1 5 \n", "only 0 of the 46 sensors"),
        (b"2004-03-06 00:00:01 1 1 20.0 40 45 2.6\n", "only 0 of the 46 sensors"),
    ],
    ids=["empty", "csv", "binary", "cut-off gzip", "prose", "no reading", "one reading"],
)
def test_a_file_that_is_no_recording_is_refused_with_the_reason(tmp_path, content, reason):
    (tmp_path / "data.txt").write_bytes(content)

    with pytest.raises(DataError, match=reason):
        load("temperature", path=str(tmp_path / "data.txt"))


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(DataError, match="no recording at"):
        load("temperature", path=str(tmp_path / "nothing.txt"))
    with pytest.raises(DataError, match="cannot be read"):
        load("temperature", path=str(tmp_path))


def brute_force_weights(places, point, nugget):
    """The ordinary-kriging system, solved as it is written."""
    n = len(places)
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = matern52(np.linalg.norm(places[:, None] - places, axis=-1))
    system[:n, :n] += nugget * np.eye(n)
    system[n, n] = 0.0
    right = np.append(matern52(np.linalg.norm(places - point, axis=-1)), 1.0)
    return np.linalg.solve(system, right)[:n]


def weights(point, nugget):
    places = summary().places
    mix, base = kriging(places, nugget)
    return mix @ matern52(np.linalg.norm(places - point, axis=-1)) + base


@pytest.mark.parametrize("point", [(3.0, 4.0), (21.5, 23.0), (40.5, 31.0)])
def test_the_weights_solve_the_kriging_system_and_sum_to_one(point):
    w = weights(np.array(point), 1e-2)

    assert np.allclose(w, brute_force_weights(summary().places, point, 1e-2), atol=1e-10)
    assert w.sum() == pytest.approx(1.0, abs=1e-10)


def test_without_a_nugget_the_sensors_are_met_exactly():
    places = summary().places

    made = np.array([weights(place, 0.0) for place in places])

    assert np.allclose(made, np.eye(46), atol=1e-9)


def test_the_gradient_of_the_field_is_its_slope():
    field, h, x = temperature.field(), 1e-6, np.array([0.37, 0.81])
    slopes, _ = field._readings(np.asarray(900.0))

    _, gradient = field._climb(x, slopes)

    for i, step in enumerate(h * np.eye(2)):
        rise = field(x + step, np.asarray(900.0)) - field(x - step, np.asarray(900.0))
        assert gradient[i] == pytest.approx(rise / (2 * h), abs=1e-6)  # h^2 and rounding / h


def test_the_optimum_of_one_hot_sensor_is_beside_it():
    places = summary().places
    readings = np.where(np.arange(46) == 21, 30.0, 20.0)
    field = Field(places, np.array([0.0, 86400.0]), np.tile(readings, (2, 1)))

    x, value = field.best(700.0)

    assert np.linalg.norm(LOW + (HIGH - LOW) * x - places[21]) < 1.0  # m; neighbours pull a little
    assert value == pytest.approx(float(field(x, np.asarray(700.0))), abs=1e-12)


def test_the_summary_has_the_sensors_of_the_code():
    import json
    from importlib.resources import files

    name = f"data/temperature_modes_{DAY}.json"
    stored = json.loads(files("bolt_core.benchmarks").joinpath(name).read_text())

    assert tuple(stored["sensors"]) == SENSORS
