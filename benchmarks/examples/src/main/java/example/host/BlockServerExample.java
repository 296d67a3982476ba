package example.host;

import dev.escapement.state.event.BodyEvent;
import example.Arguments;
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;

/**
 * Measures a game's loop of 20 Hz without and with physics, in turns: {@code BlockServerExample [seconds of a turn] [rounds]}. The loop
 * stalls for 200 ms every 10 s, and saves every 2 s. At the end a command hangs.
 */
public final class BlockServerExample implements BlockServer.Dimension {

    private enum Load {
        NO_PHYSICS,
        NO_BODIES,
        RESTING,
        MOVING
    }

    private static final int BODIES = 1_000;
    private static final int GROUPS = 100; // one is thrown in each tick of the game; a flight takes 5 s
    private static final int TICKS_PER_SAVE = 40;
    private static final int TICKS_PER_STALL = 200;
    private static final long TICK_NANOS = 50_000_000;
    private static final long STALL_NANOS = 200_000_000;
    private static final int[] GAME = new int[1 << 20];

    private final Load load;
    private final List<Long> tickNanos = new ArrayList<>(); // the time that each tick of the game took
    private int ticks;
    private long processorNanos;
    private long nanos;
    private long lateNanos;
    private volatile long hangsSinceNanos; // written by the physics thread
    private @Nullable BlockPhysics physics;
    private boolean isTold;

    private BlockServerExample(Load load) {
        this.load = load;
    }

    @Override
    public void happened(BodyEvent event) {}

    @Override
    public void move(long entity, Vector3f position, Quaternionf rotation) {
        GAME[(int) entity] = Float.floatToRawIntBits(position.y);
    }

    @Override
    public void failed(Throwable cause) {
        isTold = true;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nothing depends on the answers
    public void change(BlockPhysics newPhysics) {
        if (physics != newPhysics) {
            physics = newPhysics;
            int[] heights = new int[256];
            Arrays.fill(heights, 1);
            for (int chunk = 0; chunk < 16; chunk++) {
                physics.load(chunk % 4, chunk / 4, heights);
            }
            for (int body = 0; load.compareTo(Load.RESTING) >= 0 && body < BODIES; body++) {
                physics.add(body, 2 * (body % 32) + 0.5, 1.5, 2 * (body / 32) + 0.5);
            }
        }
        for (int body = ticks % GROUPS; load == Load.MOVING && body < BODIES; body += GROUPS) {
            physics.throwUp(body, 24);
        }
        if (++ticks % TICKS_PER_SAVE == 0) {
            physics.save();
        }
    }

    public static void main(String[] args) {
        int ticks = 20 * Arguments.seconds(args, 10);
        int rounds = Arguments.number(args, 1, "rounds", 1_000, 4);
        List<BlockServerExample> turns = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            if (round <= 1) { // the first round is for the JVM's compiler
                turns = Arrays.stream(Load.values())
                        .map(BlockServerExample::new)
                        .toList();
            }
            for (int i = 0; i < turns.size(); i++) {
                turns.get(round % 2 == 0 ? i : turns.size() - 1 - i).turn(ticks);
            }
        }
        turns.forEach(BlockServerExample::print);
        hang();
    }

    private void turn(int count) {
        try (BlockServer server = load == Load.NO_PHYSICS ? null : BlockServer.start()) {
            if (server != null) {
                server.open("overworld", this, 1);
            }
            tick(server, GROUPS);
            tickNanos.subList(tickNanos.size() - GROUPS, tickNanos.size()).clear();
            nanos -= System.nanoTime();
            processorNanos -= processorTime();
            tick(server, count);
            nanos += System.nanoTime();
            processorNanos += processorTime();
            if (physics != null) {
                lateNanos = Math.max(
                        lateNanos, physics.physics.stats().latenessNanos().percentile(99));
            }
        }
    }

    /** Runs ticks of the game, each at its due time. */
    private void tick(@Nullable BlockServer server, int count) {
        long dueNanos = System.nanoTime();
        for (int i = 1; i <= count; i++) {
            dueNanos += TICK_NANOS;
            long startNanos = dueNanos + (i % TICKS_PER_STALL == 0 ? STALL_NANOS : 0);
            while (System.nanoTime() < startNanos) {
                LockSupport.parkNanos(startNanos - System.nanoTime());
            }
            startNanos = System.nanoTime();
            int at = i;
            for (int work = 0; work < 8 * GAME.length; work++) { // as much as a game computes in a tick, some 20 ms
                at = 1_664_525 * at + 1_013_904_223;
                GAME[at >>> 12] += at;
            }
            if (server != null) {
                server.tick();
            }
            tickNanos.add(System.nanoTime() - startNanos);
        }
    }

    /** Returns the processor time of all threads of the library until now. */
    private static long processorTime() {
        var threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith("escapement-"))
                .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.getThreadId())))
                .sum();
    }

    private void print() {
        Collections.sort(tickNanos);
        System.out.printf(
                "%-10s %.2f %% of a core, game's tick p50 %.3f ms, p99 %.3f ms, physics p99 %.2f ms late%n",
                load,
                100.0 * processorNanos / nanos,
                tickNanos.get(tickNanos.size() / 2) / 1e6,
                tickNanos.get(tickNanos.size() * 99 / 100) / 1e6,
                lateNanos / 1e6);
    }

    private static void hang() {
        BlockServerExample hung = new BlockServerExample(Load.NO_BODIES);
        CountDownLatch end = new CountDownLatch(1);
        try (BlockServer server = BlockServer.start()) {
            server.open("overworld", hung, 1);
            server.tick();
            var unused = Objects.requireNonNull(hung.physics).physics.execute(tick -> {
                hung.hangsSinceNanos = System.nanoTime();
                end.await();
            });
            while (!hung.isTold) {
                hung.tick(server, 1);
            }
            System.out.printf(
                    "a hang was told after %d ms of %d, the game's longest tick took %.1f ms%n",
                    (System.nanoTime() - hung.hangsSinceNanos) / 1_000_000,
                    BlockServer.WATCHDOG_MILLIS,
                    Collections.max(hung.tickNanos) / 1e6);
            end.countDown(); // else the close waits for the thread
        }
    }
}
