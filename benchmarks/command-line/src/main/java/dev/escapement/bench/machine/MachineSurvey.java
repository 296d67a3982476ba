package dev.escapement.bench.machine;

import dev.escapement.bench.machine.Finding.Grade;
import dev.escapement.bench.measure.PictureResult;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.lwjgl.opengl.GL11;

/** Surveys the machine: cores, their load, timers, the graphics card, and whether Jolt loads. Main thread. */
public final class MachineSurvey {

    private static final int PARKS = 5;
    private static final long PARK_NANOS = 1000;

    private MachineSurvey() {}

    static List<Finding> look() {
        return List.of(
                cores(),
                load(),
                timers(),
                find("OpenGL", MachineSurvey::openGl, "everything works except pictures and windows"),
                find("Jolt", MachineSurvey::jolt, "--engine ode4j and dyn4j run everywhere"));
    }

    private static Finding find(String what, Callable<Finding> look, String without) {
        try {
            return look.call();
        } catch (Exception e) {
            return new Finding(what, "none", Grade.INFO, e.getMessage() + "; " + without);
        }
    }

    private static Finding cores() {
        int cores = Runtime.getRuntime().availableProcessors();
        return Finding.graded(
                "cores",
                1.0 / cores,
                Integer.toString(cores),
                1.0 / 3,
                1.0 / 2,
                "one for physics, one for drawing, and others for the rest",
                "physics and drawing take both, and are delayed by the collector, the JIT compiler and other programs; of one"
                        + " core they take turns: use a machine with more");
    }

    private static Finding load() {
        int cores = Runtime.getRuntime().availableProcessors();
        // Negative if the system does not report its load.
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return Finding.graded(
                "load",
                load,
                String.format(Locale.ROOT, "%.1f threads want to run, of the last minute", load),
                cores / 2.0,
                cores,
                "most of the machine is free",
                "other programs compete: end them, or give physics a core (taskset, chrt), before you measure");
    }

    private static Finding timers() {
        double parkMicros = shortestParkNanos() / 1e3;
        return Finding.graded(
                "timers",
                parkMicros,
                String.format(Locale.ROOT, "shortest park %,.1f us", parkMicros),
                100,
                1_000,
                "the thread may rest until shortly before a tick",
                "the timer is driven by interrupts: ticks spin or come late; use a kernel with high-resolution timers");
    }

    /**
     * Returns the shortest of several parks of one microsecond in a row. If the system's timer ticks periodically, each of these parks
     * takes a whole period of the timer. A single park may be short by chance, when it starts just before a timer tick.
     */
    public static long shortestParkNanos() {
        // Ends at a tick of a periodic timer, so that the next park takes a whole period.
        LockSupport.parkNanos(PARK_NANOS);
        long shortest = Long.MAX_VALUE;
        long last = System.nanoTime();
        for (int park = 0; park < PARKS; park++) {
            LockSupport.parkNanos(PARK_NANOS);
            long now = System.nanoTime();
            shortest = Math.min(shortest, now - last);
            last = now;
        }
        return shortest;
    }

    private static Finding openGl() {
        OffscreenPicture picture = OffscreenPicture.open(64, 64, new SceneView(1, 0.5f, 1));
        try (picture) {
            // The call needs the OpenGL context of the picture.
            return drawnBy(String.valueOf(GL11.glGetString(GL11.GL_RENDERER)));
        }
    }

    static Finding drawnBy(String renderer) {
        return PictureResult.isBySoftware(renderer)
                ? new Finding(
                        "OpenGL",
                        renderer,
                        Grade.FAIR,
                        "the processor draws, and takes the time from physics; a driver for a graphics card helps")
                : new Finding("OpenGL", renderer, Grade.GOOD, "a graphics card draws, physics keeps the processor");
    }

    private static Finding jolt() {
        JoltNatives.load();
        return new Finding(
                "Jolt", JoltWorldSimulation.version(), Grade.GOOD, "the fastest here, and the default: --engine jolt");
    }
}
