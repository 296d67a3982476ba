package dev.escapement.physics.replay.log;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickFault;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputLevels;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Records the seed logs of the fuzz tests. To write them to the folder of seeds, run the main method with its path; a test fails when the
 * folder's seeds differ.
 */
final class SeedLogs {

    private static final RunDescription RUN = new RunDescription("spring", "1", "20", 4, TickRate.hertz(100));

    private SeedLogs() {}

    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<String, byte[]> seed : all().entrySet()) {
            Files.write(Path.of(arguments[0], seed.getKey()), seed.getValue());
        }
    }

    static Map<String, byte[]> all() throws IOException {
        Map<String, byte[]> seeds = new LinkedHashMap<>();
        byte[] ticks = record(recording -> new RandomTicks(5).record(recording, 4));
        seeds.put("no-ticks.esclog", record(recording -> {}));
        seeds.put("ticks.esclog", ticks);
        RandomTicks goesBack = new RandomTicks(7).withCommands().withRewinds();
        seeds.put("went-back.esclog", record(recording -> goesBack.record(recording, 8)));
        seeds.put("cut-off.esclog", Arrays.copyOf(ticks, ticks.length - 100));
        seeds.put("levels.esclog", record(SeedLogs::recordLevels));
        seeds.put("flight.esclog", flight());
        return seeds;
    }

    private static byte[] record(Consumer<Recording> run) {
        MemorySink sink = new MemorySink(Integer.MAX_VALUE);
        try (Recording recording = new Recording(sink, RUN)) {
            run.accept(recording);
        }
        return sink.bytes();
    }

    /** Returns a log like a flight recorder's: a start in the middle of a run, another saved state, and a tick that has no end. */
    private static byte[] flight() throws IOException {
        FlightReport report = new FlightReport(TickFault.Reason.THREW, 72, "E", "at", "detail", "then", "here");
        CommandName type = new CommandName("push", 1);
        LogHeader header = new LogHeader(RUN, List.of(type), "steps 2", report);
        RecordedInput input = new RecordedInput();
        input.begin(10);
        input.add(0, 1, 10, InputKind.KEY_DOWN, 7, 0, 0, 0, false);
        TickEncoder encoder = new TickEncoder(header.commandTypes(), 1 << 16);
        encoder.putState(70, 3, true, new StateBuffer().put(1L));
        encoder.put(new CommandData(type, new byte[] {1, 2}));
        encoder.putBegun(Tick.of(RUN.rate(), 71, 0, 0.5, input.frame(), true));
        encoder.putHash(99);
        encoder.putState(71, 4, true, new StateBuffer().put(2L));
        encoder.putLocal("a lambda of C");
        encoder.putWentBack(70);
        encoder.putBegun(Tick.of(RUN.rate(), 71, 0, 0.5, input.frame(), false));
        encoder.putBegun(Tick.of(RUN.rate(), 72, 0, 0.5, input.frame(), false));
        ByteBuffer start = header.encode();
        ByteBuffer records = encoder.buffer().flip();
        return ByteBuffer.allocate(start.remaining() + records.remaining())
                .put(start)
                .put(records)
                .array();
    }

    /** Records levels without the events that set them. */
    private static void recordLevels(Recording recording) {
        recording.begin(List.of(), "");
        RecordedInput input = new RecordedInput();
        for (int tick = 1; tick <= 3; tick++) {
            input.begin(10);
            input.add(0, tick, 10L * tick, InputKind.KEY_DOWN, tick, 0, 0, 0, tick == 2);
            InputKind ofSender =
                    tick == 1 ? InputKind.SENDER_JOINED : tick == 2 ? InputKind.BUTTON_DOWN : InputKind.SENDER_LEFT;
            input.add(3, tick, 10L * tick, ofSender, 0, 0, 0, 0, false);
            input.add(0, tick, 10L * tick + 9, InputKind.APPLICATION, -tick, 1, 2, 9, false);
            input.levels().set(InputLevels.ALL, tick == 3 ? InputKind.BUTTON_UP : InputKind.BUTTON_DOWN, 1, 0);
            input.levels().set(InputLevels.ALL, InputKind.AXIS_MOVED, tick, 0.5f);
            input.levels().set(3, InputKind.AXIS_MOVED, tick, 0.25f);
            recording.tick(Tick.of(RUN.rate(), tick, 0, 0.25, input.frame(), tick == 1), List.of(), tick == 2, tick);
        }
    }
}
