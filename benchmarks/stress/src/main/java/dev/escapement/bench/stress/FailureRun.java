package dev.escapement.bench.stress;

import dev.escapement.bench.process.ChildProcess;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.spi.TickFault.Reason;
import dev.escapement.state.time.ManualClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A process of a {@link FailingWorld} fails or dies; another repeats that from the file that the flight recorder has archived. What is
 * killed from outside runs through.
 */
final class FailureRun {

    /** The checked promises; a fault is planted for each. */
    static final Set<Promise> PROMISES = Set.of(Promise.FILE_LEFT, Promise.REPEATED);

    private static final List<String> FLAGS = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Trial trial;
    private final long seed;
    private final FailingWorld world;
    private final Path folder;

    private FailureRun(Trial trial, long seed, Path folder) {
        this.trial = trial;
        this.seed = seed;
        this.folder = folder;
        world = FailingWorld.of(seed, false);
    }

    /** Runs a seed; returns it, and how the world fails. */
    static String run(Trial trial, long seed) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("escapement-failure");
        try {
            new FailureRun(trial, seed, folder).run();
        } finally {
            delete(folder);
        }
        return "seed " + seed + ": " + FailingWorld.of(seed, false).way;
    }

    private void run() throws IOException, InterruptedException {
        String said = inProcess(folder);
        if (world.way.isDeath()) {
            nextStart();
        }
        List<Path> files = files();
        InputLog log = files.size() == 1 ? InputLog.open(files.get(0)) : null;
        Reason reason = log == null ? null : log.report().orElseThrow().reason();
        trial.check(
                Promise.FILE_LEFT, reason == expected(), () -> files + " of reason " + reason + "; it said " + said);
        if (log != null) {
            String again = inProcess(files.get(0));
            trial.check(Promise.REPEATED, isRepeated(again), () -> log + ": " + again);
        }
    }

    private Reason expected() {
        return switch (world.way) {
            case STEP, CAPTURE, COMMAND -> Reason.THREW;
            case NOT_FINITE -> Reason.NOT_FINITE;
            case HANG -> Reason.HUNG;
            case HALT, HALT_IN_COMMAND, KILLED -> Reason.DIED;
        };
    }

    /** Runs the world in a folder, or a file of it, in a process of its own. Returns its exit code, and what it has said. */
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
                    break; // that has closed the stream
                }
            }
        }
        return process.waitFor() + ", " + said;
    }

    private boolean isRepeated(String said) {
        return switch (world.way) {
            case STEP, CAPTURE, COMMAND, NOT_FINITE -> said.startsWith("0, ") && said.contains("repeated: tick ");
            case HANG -> said.startsWith(FailingWorld.HANG_CODE + ", ");
            case HALT, HALT_IN_COMMAND -> said.startsWith(FailingWorld.HALT_CODE + ", ");
            case KILLED -> said.startsWith("0, ") && said.contains("ran through: the failure did not repeat");
        };
    }

    /** Puts aside what the process that died has left. */
    private void nextStart() {
        PhysicsService.builder(FailingWorld.of(seed, false))
                .rate(world.run.rate())
                .with(FlightRecorder.in(folder, world.run).maxBytes(1 << 20))
                .inline(new ManualClock(0))
                .close();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".esclog")).toList();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
