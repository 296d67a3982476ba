package dev.escapement.bench.machine;

import dev.escapement.bench.stress.trial.Figure.Grade;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** The virtual machine, the cores, and who else wants them. */
final class Cores {

    private static final int PHYSICS_AND_DRAWING = 2;
    private static final long MEGABYTE = 1 << 20;

    private Cores() {}

    static List<Sight> look() {
        return List.of(java(), cores(), load());
    }

    private static Sight java() {
        Runtime runtime = Runtime.getRuntime();
        return Sight.info(
                "Java",
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                String.format(Locale.ROOT, "heap up to %,d MB", runtime.maxMemory() / MEGABYTE));
    }

    private static Sight cores() {
        int cores = Runtime.getRuntime().availableProcessors();
        Grade grade = cores > PHYSICS_AND_DRAWING ? Grade.GOOD : cores == PHYSICS_AND_DRAWING ? Grade.FAIR : Grade.POOR;
        String means = switch (grade) {
            case GOOD -> "one for physics, one for drawing, and some for the rest";
            case FAIR -> "physics and drawing take both; the collector, the JIT compiler and other programs delay them";
            default -> "physics and drawing take turns: expect late ticks; use a machine with 2 cores or more";
        };
        return new Sight("cores", Integer.toString(cores), grade, means);
    }

    private static Sight load() {
        int cores = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load < 0) {
            return Sight.info("load", "not known on this system", "look for programs that take much processor time");
        }
        Grade grade = load <= cores / 2.0 ? Grade.GOOD : load <= cores ? Grade.FAIR : Grade.POOR;
        return new Sight(
                "load",
                String.format(Locale.ROOT, "%.1f threads want to run, of the last minute", load),
                grade,
                grade == Grade.GOOD
                        ? "most of the machine is free"
                        : "other programs compete: end them, or give physics a core (taskset, chrt), before you measure");
    }
}
