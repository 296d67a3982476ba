package dev.escapement.bench.stress;

import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.process.ChildProcess;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A world with a bug, which input brings out: it fails in a way that is drawn from a seed. Also the process that this ends, or that repeats
 * it from a file: {@code FailingWorld SEED PATH}.
 */
final class FailingWorld extends ForwardingSimulation {

    /** How it fails, in what call. */
    enum Way {
        STEP,
        CAPTURE,
        COMMAND,
        NOT_FINITE,
        HANG,
        HALT,
        HALT_IN_COMMAND,
        KILLED;

        /** Whether the process dies. */
        boolean isDeath() {
            return compareTo(HALT) >= 0;
        }
    }

    static final int HALT_CODE = 3;

    /** Where a hang is repeated. */
    static final int HANG_CODE = 4;

    private static final TickRate RATE = TickRate.hertz(1000);
    private static final int FATAL = 7;
    private static final int MAX_BODIES = 100;
    private static final int MAX_TICK = 1500;
    private static final int WATCHDOG_TICKS = 5000;
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private static final CommandType<Integer, Integer> PUSH =
            CommandType.of("push", 1, (body, to) -> to.writeInt(body), from -> from.readInt());

    final Way way;
    final RunDescription run;
    private final long seed;
    private final int bodies;
    private final boolean isRepeated;
    private boolean fatal;

    // Volatile: set by a thread of the service, when its file was archived.
    private volatile boolean reported;

    private FailingWorld(long seed, int bodies, boolean isRepeated) {
        super(new SpringSimulation(bodies));
        this.seed = seed;
        this.bodies = bodies;
        this.isRepeated = isRepeated;
        way = Way.values()[Math.floorMod(seed, Way.values().length)];
        run = new RunDescription("spring", "1", bodies + " bodies", seed, RATE);
    }

    /** The world of a seed. */
    static FailingWorld of(long seed, boolean isRepeated) {
        return new FailingWorld(seed, 1 + new SplittableRandom(seed).nextInt(MAX_BODIES), isRepeated);
    }

    @Override
    public void step(Tick tick) throws Exception {
        fatal = false;
        for (int i = 0; i < tick.input().size(); i++) {
            fatal |= tick.input().event(i).code() == FATAL;
        }
        super.step(tick);
        if (fatal) {
            fail(Way.STEP);
        }
    }

    private void fail(Way here) {
        if (way == (here == Way.STEP ? Way.HALT : Way.HALT_IN_COMMAND)) {
            Runtime.getRuntime().halt(HALT_CODE);
        }
        if (here == Way.STEP && way == Way.HANG) {
            if (isRepeated) {
                Runtime.getRuntime().halt(HANG_CODE);
            }
            Polling.await(() -> false);
        }
        if (way == here) {
            throw new IllegalStateException("planted in " + here);
        }
    }

    @Override
    public CommandHandlers commands() {
        return new CommandHandlers().on(PUSH, (tick, body) -> {
            ((SpringSimulation) simulation).push(body % bodies, 0, 0.5, 0);
            if (body == FATAL * bodies) {
                fail(Way.COMMAND);
            }
            return body;
        });
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        if (fatal && way == Way.CAPTURE) {
            throw new UnsupportedOperationException("planted in a capture");
        }
        if (fatal && way == Way.NOT_FINITE) {
            poses.bodyCount(bodies);
            for (int body = 0; body < bodies; body++) {
                poses.set(body, Float.NaN, 0, 0, 0, 0, 0, 1);
            }
        } else {
            super.capture(poses);
        }
    }

    /** Fails in a folder, or repeats a file. */
    public static void main(String[] arguments) throws Exception {
        ChildProcess.watchParent(() -> Runtime.getRuntime().halt(1));
        Path path = Path.of(arguments[1]);
        FailingWorld world = of(Long.parseLong(arguments[0]), Files.isRegularFile(path));
        if (world.isRepeated) {
            System.out.println(InputLog.open(path).repeat(() -> world));
        } else {
            world.fail(path);
        }
        Runtime.getRuntime().halt(0); // the thread that hangs does not end
    }

    private void fail(Path folder) {
        SplittableRandom random = new SplittableRandom(~seed);
        int fatalTick = 1 + random.nextInt(MAX_TICK);
        PhysicsService service = PhysicsService.builder(this)
                .rate(RATE)
                .watchdog(WATCHDOG_TICKS)
                .onFailure(failure -> reported = true)
                .with(FlightRecorder.in(folder, run).maxBytes(1 << 20))
                .start();
        boolean given = false;
        while (!reported && service.quarantinedPoses() == 0 && service.failedCommands() == 0) {
            given |= service.lastTick() >= fatalTick;
            if (given && way == Way.KILLED) {
                System.out.println("alive");
            } else if (given) {
                service.input().offer(System.nanoTime(), InputKind.APPLICATION, FATAL, 0, 0);
            }
            service.input()
                    .offer(System.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, random.nextInt(100), 0.5f);
            var unused = service.command(PUSH, given ? FATAL * bodies : random.nextInt(bodies));
            Polling.pass(GAP_NANOS);
        }
        service.close();
    }
}
