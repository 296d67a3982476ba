package dev.escapement.bench.machine;

import dev.escapement.bench.stress.trial.Figure.Grade;
import dev.escapement.state.time.TimerResolution;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The virtual machine, the cores, what else uses them, and the timers. */
final class Processor {

    private static final Path TIMER_SLACK = Path.of("/proc/self/timerslack_ns");
    private static final int PHYSICS_AND_DRAWING = 2;

    private Processor() {}

    static List<Finding> look() {
        TimerResolution timer = TimerResolution.ofThisJvm();
        return List.of(java(), cores(), load(), clockStep(timer), shortestPark(timer), timerSlack());
    }

    private static Finding java() {
        return Finding.info(
                "Java",
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                String.format(
                        Locale.ROOT, "heap up to %,d MB", Runtime.getRuntime().maxMemory() >> 20));
    }

    private static Finding cores() {
        int cores = Runtime.getRuntime().availableProcessors();
        Grade grade = cores > PHYSICS_AND_DRAWING ? Grade.GOOD : cores == PHYSICS_AND_DRAWING ? Grade.FAIR : Grade.POOR;
        String means = switch (grade) {
            case GOOD -> "one for physics, one for drawing, and some for the rest";
            case FAIR -> "physics and drawing take both; the collector, the JIT compiler and other programs delay them";
            default -> "physics and drawing take turns: expect late ticks; use a machine with 2 cores or more";
        };
        return new Finding("cores", Integer.toString(cores), grade, means);
    }

    private static Finding load() {
        int cores = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load < 0) {
            return Finding.info("load", "not known on this system", "look for programs that take much processor time");
        }
        return Finding.graded(
                "load",
                load,
                String.format(Locale.ROOT, "%.1f threads want to run, of the last minute", load),
                cores / 2.0,
                cores,
                "most of the machine is free",
                "other programs compete: end them, or give physics a core (taskset, chrt), before you measure");
    }

    private static Finding clockStep(TimerResolution timer) {
        double micros = timer.clockStepNanos() / 1e3;
        return Finding.graded(
                "clock step",
                micros,
                String.format(Locale.ROOT, "%,.2f us", micros),
                1,
                100,
                "time is known more exactly than anything is done",
                "ticks cannot be more exact than this; on Linux, see"
                        + " /sys/devices/system/clocksource/clocksource0/current_clocksource: tsc is best");
    }

    private static Finding shortestPark(TimerResolution timer) {
        double micros = timer.shortestParkNanos() / 1e3;
        return Finding.graded(
                "shortest park",
                micros,
                String.format(Locale.ROOT, "%,.1f us for 1 us", micros),
                100,
                1_000,
                "the thread may rest until shortly before a tick",
                "the timer is driven by interrupts: ticks spin or come late; use a kernel with high-resolution timers");
    }

    private static Finding timerSlack() {
        try {
            long nanos = Long.parseLong(Files.readString(TIMER_SLACK).strip());
            return Finding.info(
                    "timer slack",
                    String.format(Locale.ROOT, "%,.1f us", nanos / 1e3),
                    "how much later than asked the system may wake a thread; Escapement learns it and wakes earlier");
        } catch (IOException | NumberFormatException e) {
            return Finding.info("timer slack", "not readable here", "Linux tells it; Escapement learns it anyway");
        }
    }
}
