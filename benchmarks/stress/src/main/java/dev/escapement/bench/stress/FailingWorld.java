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
import dev.escapement.physics.spi.TickHook.Fault.Reason;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A world with a bug that input triggers; a seed determines in which way it fails. One process runs it until it fails or dies, and its
 * flight recorder archives a file. A second process repeats the run from this file, and must fail the same way. If the first process was
 * killed from outside, the repeated run must reach the end of the file. The main class of both processes takes the arguments {@code SEED
 * PATH}.
 */
final class FailingWorld extends ForwardingSimulation {

    static final Set<Promise> PROMISES = Set.of(Promise.FILE_LEFT, Promise.REPEATED);

    private static final int HALT_CODE = 3;

    private static final int HANG_CODE = 4;

    enum Way {
        STEP(Reason.THREW, 0, "repeated: tick "),
        CAPTURE(Reason.THREW, 0, "repeated: tick "),
        COMMAND(Reason.THREW, 0, "repeated: tick "),
        NOT_FINITE(Reason.NOT_FINITE, 0, "repeated: tick "),
        HANG(Reason.HUNG, HANG_CODE, ""),
        HALT(Reason.DIED, HALT_CODE, ""),
        HALT_IN_COMMAND(Reason.DIED, HALT_CODE, ""),
        KILLED(Reason.DIED, 0, "ran through: the failure did not repeat");

        private final Reason reason;

        /** How a process that repeats the failure ends, and what it then prints. */
        private final int exitCode;

        private final String says;

        Way(Reason reason, int exitCode, String says) {
            this.reason = reason;
            this.exitCode = exitCode;
            this.says = says;
        }
    }

    private static final List<String> FLAGS = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final TickRate RATE = TickRate.hertz(1000);
    private static final int FATAL = 7;
    private static final int MAX_BODIES = 100;
    private static final int MAX_TICK = 1500;
    private static final int WATCHDOG_TICKS = 5000;
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private static final CommandType<Integer, Integer> PUSH =
            CommandType.of("push", 1, (body, to) -> to.writeInt(body), from -> from.readInt());

    private final Way way;
    private final RunDescription run;
    private final long seed;
    private final int bodies;
    private final boolean isRepeated;
    private boolean fatal;

    // Volatile: written by the service's thread after the file was archived, read by the thread that sends input.
    private volatile boolean reported;

    private FailingWorld(long seed, int bodies, boolean isRepeated) {
        super(new SpringSimulation(bodies));
        this.seed = seed;
        this.bodies = bodies;
        this.isRepeated = isRepeated;
        way = Way.values()[Math.floorMod(seed, Way.values().length)];
        run = new RunDescription("spring", "1", bodies + " bodies", seed, RATE);
    }

    static void run(Trial trial, long seed) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("escapement-failure");
        FailingWorld world = of(seed, false);
        trial.runs("seed " + seed + ": " + world.way);
        try {
            world.run(trial, folder);
        } finally {
            Life.delete(folder);
        }
    }

    private void run(Trial trial, Path folder) throws IOException, InterruptedException {
        String said = inProcess(folder);
        if (way.reason == Reason.DIED) { // a dead process cannot archive its file; the recorder of the next start does
            PhysicsService.builder(this)
                    .rate(RATE)
                    .with(recorder(folder))
                    .inline(new ManualClock(0))
                    .close();
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".esclog")).toList();
        }
        InputLog log = files.size() == 1 ? InputLog.open(files.get(0)) : null;
        Reason reason = log == null ? null : log.report().orElseThrow().reason();
        trial.check(
                Promise.FILE_LEFT, reason == way.reason, () -> files + " of reason " + reason + "; it said " + said);
        if (log != null) {
            String again = inProcess(files.get(0));
            boolean isRepeated = again.startsWith(way.exitCode + ", ") && again.contains(way.says);
            trial.check(Promise.REPEATED, isRepeated, () -> log + ": " + again);
        }
    }

    private FlightRecorder recorder(Path folder) {
        return FlightRecorder.in(folder, run).maxBytes(1 << 20);
    }

    /** Runs a process with a folder, in which it fails, or with a file, which it repeats. Returns its exit code and its output. */
    private String inProcess(Path path) throws IOException, InterruptedException {
        Process process = ChildProcess.atNormalPriority(
                        ChildProcess.java(FLAGS, FailingWorld.class, List.of(Long.toString(seed), path.toString())))
                .redirectErrorStream(true)
                .start();
        StringBuilder said = new StringBuilder();
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.append(line).append('\n');
                if (line.equals("alive")) {
                    process.destroyForcibly();
                    break; // the stream cannot be read any more
                }
            }
        }
        return process.waitFor() + ", " + said;
    }

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
            failIn(Way.STEP);
        }
    }

    private void failIn(Way here) {
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
                failIn(Way.COMMAND);
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

    /** The main method of the processes: fails in a folder, or repeats a file. */
    public static void main(String[] arguments) throws Exception {
        ChildProcess.watchParent(() -> Runtime.getRuntime().halt(1));
        Path path = Path.of(arguments[1]);
        FailingWorld world = of(Long.parseLong(arguments[0]), Files.isRegularFile(path));
        if (world.isRepeated) {
            System.out.println(InputLog.open(path).repeat(() -> world));
        } else {
            world.fail(path);
        }
        Runtime.getRuntime().halt(0); // a hanging thread would keep the JVM from ending
    }

    private void fail(Path folder) {
        SplittableRandom random = new SplittableRandom(~seed);
        int fatalTick = 1 + random.nextInt(MAX_TICK);
        PhysicsService service = PhysicsService.builder(this)
                .rate(RATE)
                .watchdog(WATCHDOG_TICKS)
                .onFailure(failure -> reported = true)
                .with(recorder(folder))
                .start();
        boolean given = false;
        while (!reported && service.quarantinedPoses() == 0 && service.failedCommands() == 0) {
            given |= service.lastPublishedTick() >= fatalTick;
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
