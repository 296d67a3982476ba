package dev.escapement.bench.machine;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Table;
import dev.escapement.state.time.TickRate;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * How late ticks started in each way to tick, measured one after the other.
 *
 * @param byWay microseconds
 */
record Ticking(Map<WayToTick, Summary> byWay) {

    /** Lets each tick for {@code seconds}; {@code progress} is called after each. */
    static Ticking run(TickRate rate, int seconds, Runnable progress) throws InterruptedException {
        Map<WayToTick, Summary> byWay = new EnumMap<>(WayToTick.class);
        for (WayToTick way : WayToTick.available()) {
            byWay.put(way, way.tickFor(rate, seconds));
            progress.run();
        }
        return new Ticking(byWay);
    }

    /** What to expect of ticks here. */
    Finding finding() {
        Summary micros = of(WayToTick.ESCAPEMENT);
        return Finding.graded(
                "a tick of Escapement",
                micros.p99(),
                "late by " + Table.duration(micros.p50()) + " p50, " + Table.duration(micros.p99()) + " p99",
                200,
                2_000,
                "expect ticks to start this exactly",
                "something delays threads that want to run: other programs, a virtual machine's host, power saving"
                        + " (cpupower frequency-set -g performance)");
    }

    /** A row for each way, with idle cores and with busy ones. */
    static Table<WayToTick> table(Ticking idle, Ticking busy) {
        return new Table<WayToTick>()
                .left("late by", WayToTick::toString)
                .right("idle: p50", way -> Table.duration(idle.of(way).p50()))
                .right("p99", way -> Table.duration(idle.of(way).p99()))
                .right(
                        "every core busy: p50",
                        way -> Table.duration(busy.of(way).p50()))
                .right("p99", way -> Table.duration(busy.of(way).p99()));
    }

    private Summary of(WayToTick way) {
        return Objects.requireNonNull(byWay.get(way), way + " has not ticked");
    }
}
