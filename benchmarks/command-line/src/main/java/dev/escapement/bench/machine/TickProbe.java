package dev.escapement.bench.machine;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.machine.Finding.Grade;
import dev.escapement.bench.measure.TickTrace;
import dev.escapement.bench.process.BusyCores;
import dev.escapement.bench.report.Table;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.platform.linux.LinuxThreadPolicy;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.platform.linux.TimeWatch;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadPolicy;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how late ticks of 100 Hz start on quiet cores, and how late their steps end on busy cores, without and with a thread policy. On
 * busy cores there are as many other processes as cores. Main thread.
 */
final class TickProbe {

    /**
     * The maximum number of measured runs: one warm-up, one check of each of the two policies, one run on quiet cores, and on busy cores
     * one without a policy and one with each policy.
     */
    static final int MAX_RUNS = 7;

    private static final TickRate RATE = TickRate.hertz(100);

    /** The tick rate of the warm-up, so high that within a second the JIT compiler compiles every method that a tick calls. */
    private static final TickRate WARM_UP_RATE = TickRate.hertz(4000);

    private static final int QUIET_MICROS = 200;
    private static final int BUSY_MICROS = 1500;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final ThreadPolicy NO_POLICY = period -> ThreadGrants.of(List.of());

    private static final Map<String, ThreadPolicy> POLICIES =
            new TreeMap<>(Map.of("policy", LinuxThreadPolicy.unprivileged(), "priority", new LinuxThreadPolicy()));

    private final long nanos;

    private record Ran(TickTrace trace, ThreadGrants grants, TakenTime taken) {}

    record Late(String policy, double p50, double p99) {}

    TickProbe(long nanos) {
        this.nanos = nanos;
    }

    List<Finding> measure() {
        List<Finding> findings = new ArrayList<>();
        Map<String, ThreadPolicy> granted = new TreeMap<>();
        run(WARM_UP_RATE, NO_POLICY, 20);
        POLICIES.forEach((name, policy) -> {
            ThreadGrants grants = run(RATE, policy, 0).grants;
            findings.add(asked(name, grants));
            if (grants.allGranted()) {
                granted.put(name, policy);
            }
        });
        Ran quiet = run(RATE, NO_POLICY, QUIET_MICROS);
        findings.add(quiet(
                quiet.trace.lateness().summary().p50(),
                quiet.trace.lateness().summary().p99(),
                quiet.taken));
        List<Late> late = new ArrayList<>();
        TakenTime taken;
        int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(3 * nanos) + 60;
        try (BusyCores busy = BusyCores.start(seconds)) {
            Ran plain = run(RATE, NO_POLICY, BUSY_MICROS);
            taken = plain.taken;
            late.add(late("", plain.trace));
            granted.forEach((name, policy) -> late.add(late(name, run(RATE, policy, BUSY_MICROS).trace)));
            busy.requireRunning();
        }
        findings.add(busy(late, taken));
        return findings;
    }

    private static Late late(String policy, TickTrace trace) {
        return new Late(
                policy,
                Math.max(0, trace.publishDelay().summary().p50() - BUSY_MICROS),
                Math.max(0, trace.publishDelay().summary().p99() - BUSY_MICROS));
    }

    static Finding asked(String name, ThreadGrants grants) {
        return grants.allGranted()
                ? new Finding(name, grants.toString(), Grade.GOOD, "threadPolicy(ThreadPolicy.realTime()) asks for it")
                : new Finding(name, "not granted", Grade.FAIR, grants.toString());
    }

    private static Finding quiet(double p50, double p99, TakenTime taken) {
        return Finding.graded(
                "a tick",
                p99,
                "starts late by " + Table.duration(p50) + " p50, " + Table.duration(p99) + " p99",
                200,
                2_000,
                "expect ticks to start this exactly",
                who(taken) + "; what is not known may be power saving (cpupower frequency-set -g performance)");
    }

    static Finding busy(List<Late> late, TakenTime taken) {
        Late plain = late.get(0);
        Late best = late.stream().reduce(plain, (a, b) -> b.p99 < a.p99 ? b : a);
        return Finding.graded(
                "with busy cores",
                plain.p99,
                "a step of 1.5 ms ends late by " + Table.duration(plain.p50) + " p50, " + Table.duration(plain.p99)
                        + " p99",
                500,
                Double.MAX_VALUE,
                "other programs do not delay physics",
                who(taken) + "; "
                        + (best.equals(plain)
                                ? "no policy helps: end other programs, or leave physics a core of its own (taskset)"
                                : "the " + best.policy + " helps: " + Table.duration(best.p99) + " p99"));
    }

    private static String who(TakenTime taken) {
        return taken.scaledTo(1_000_000_000).inPercent();
    }

    /**
     * Runs a service and returns its metrics. The service starts after a random time, because at most tick rates the ticks of the kernel's
     * timer fall on the same offsets in all periods, and one start offset would measure only these.
     */
    private Ran run(TickRate rate, ThreadPolicy policy, int stepMicros) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(RATE.nanosAt(1)));
        // Leaves out the first fifth, in which threads start and the waiter learns how late the system wakes it.
        TickTrace trace = new TickTrace(nanos / 5);
        PhysicsService physics = PhysicsService.builder(work(stepMicros))
                .rate(rate)
                .threadPolicy(policy)
                .with(trace)
                .build();
        TimeWatch watch = TimeWatch.start(physics.tickMetrics(), TimeWatch.Listener.NONE);
        try (watch;
                physics) {
            physics.start();
            // Parks without spinning, because the physics thread may need this core.
            new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY)
                    .awaitUntil(physics.startedAtNanos() + nanos);
        }
        // Without a single tick, the thread had no core during the whole run. One tick that is late by the whole run
        // represents this.
        if (trace.lateness().histogram().getTotalCount() == 0) {
            trace.ticked(1, 0, nanos, nanos, nanos);
        }
        return new Ran(trace, physics.threadGrants(), watch.all().fromTicks());
    }

    private static Simulation work(int stepMicros) {
        return new ForwardingSimulation(new SpringSimulation(0)) {
            @Override
            public void step(Tick tick) {
                long endNanos = THREADS.getCurrentThreadCpuTime() + stepMicros * 1000L;
                while (THREADS.getCurrentThreadCpuTime() < endNanos) {
                    // Spins until the thread has used this much processor time; time without a core does not count.
                }
            }
        };
    }
}
