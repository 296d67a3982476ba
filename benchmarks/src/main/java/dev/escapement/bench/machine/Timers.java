package dev.escapement.bench.machine;

import dev.escapement.state.time.TimerResolution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How fine the clock is, and how long the shortest rest. */
final class Timers {

    private static final Path SLACK = Path.of("/proc/self/timerslack_ns");

    private Timers() {}

    static List<Sight> look() {
        TimerResolution timer = TimerResolution.ofThisJvm();
        double stepMicros = timer.clockStepNanos() / 1e3;
        double parkMicros = timer.shortestParkNanos() / 1e3;
        return List.of(
                Sight.ofMicros(
                        "clock step",
                        stepMicros,
                        String.format(Locale.ROOT, "%,.2f us", stepMicros),
                        1,
                        100,
                        "time is known more exactly than anything is done",
                        "ticks cannot be more exact than this; on Linux, see"
                                + " /sys/devices/system/clocksource/clocksource0/current_clocksource: tsc is best"),
                Sight.ofMicros(
                        "shortest park",
                        parkMicros,
                        String.format(Locale.ROOT, "%,.1f us for 1 us", parkMicros),
                        100,
                        1_000,
                        "the thread may rest until shortly before a tick",
                        "the timer is driven by interrupts: ticks spin or come late; use a kernel with high-resolution timers"),
                slack());
    }

    private static Sight slack() {
        try {
            long nanos = Long.parseLong(Files.readString(SLACK).strip());
            return Sight.info(
                    "timer slack",
                    String.format(Locale.ROOT, "%,.1f us", nanos / 1e3),
                    "how much later than asked the system may wake a thread; Escapement learns it and wakes earlier");
        } catch (IOException | NumberFormatException e) {
            return Sight.info("timer slack", "not readable here", "Linux tells it; Escapement learns it anyway");
        }
    }
}
