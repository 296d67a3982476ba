package dev.escapement.physics.replay.log;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.input.InputState;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Generates random ticks with input of every kind: late, in pauses, and in ticks of any length. Describes the expected content of their
 * log.
 */
final class RandomTicks {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final InputKind[] KINDS =
            Stream.of(InputKind.values()).filter(kind -> kind.hasCode(0)).toArray(InputKind[]::new);

    final List<String> reported = new ArrayList<>();

    static final List<CommandName> TYPES = List.of(new CommandName("push", 1), new CommandName("push", 2));

    private final SplittableRandom random;

    /** Random numbers for commands, separate so that input is the same without commands. Null if ticks have none. */
    private @Nullable SplittableRandom commandRandom;

    /** Random numbers for rewinds. Null if the run never goes back. */
    private @Nullable SplittableRandom rewindRandom;

    private long number;

    private final ManualClock clock = new ManualClock(-500); // clocks may be negative
    private final InputRing ring = new InputRing(256, clock);
    private final InputSampler sampler = new InputSampler(ring);

    RandomTicks(long seed) {
        random = new SplittableRandom(seed);
    }

    RandomTicks withCommands() {
        commandRandom = new SplittableRandom(3);
        return this;
    }

    RandomTicks withRewinds() {
        rewindRandom = new SplittableRandom(8);
        return this;
    }

    /** Goes back before some ticks. Returns the target tick, or -1 if it did not go back. */
    private long goBack(Recording recording) {
        SplittableRandom own = rewindRandom;
        if (own == null || own.nextInt(4) > 0) {
            return -1;
        }
        number = own.nextLong(number + 1);
        recording.sought(number, false);
        return number;
    }

    private List<CommandData> commands() {
        List<CommandData> commands = new ArrayList<>();
        SplittableRandom own = commandRandom;
        for (int left = own == null ? 0 : own.nextInt(4); own != null && left > 0; left--) {
            byte[] bytes = new byte[own.nextInt(300)];
            own.nextBytes(bytes);
            commands.add(new CommandData(TYPES.get(own.nextInt(2)), bytes));
        }
        return commands;
    }

    RandomTicks record(Recording recording, int ticks) {
        recording.begin(TYPES, "");
        for (int i = 0; i < ticks; i++) {
            record(recording);
        }
        return this;
    }

    private void record(Recording recording) {
        if (random.nextInt(4) == 0) { // simulates a pause
            offer(random.nextInt(6));
            sampler.drainWhilePaused(clock.nanoTime(), false, null);
        }
        long from = clock.nanoTime();
        long length = random.nextLong(1, 100);
        clock.advance(length);
        offer(random.nextInt(5));
        InputFrame frame = sampler.sample(from, clock.nanoTime());
        double budgetUsed = random.nextDouble();
        boolean eventsWanted = random.nextBoolean();
        String local = random.nextBoolean() ? TickHook.Stepped.COMMAND : "";
        long hash = random.nextLong();
        List<CommandData> commands = commands();
        recording.awaitRoom();
        long wentBackTo = goBack(recording);
        number++;
        recording.tick(Tick.of(RATE, number, clock.nanoTime(), budgetUsed, frame, eventsWanted), commands, local, hash);
        reported.add(report(frame, commands, wentBackTo, number, budgetUsed, eventsWanted, local, hash));
    }

    private void offer(int events) {
        for (int i = 0; i < events; i++) {
            InputKind kind = KINDS[random.nextInt(KINDS.length)];
            int code = kind == InputKind.APPLICATION ? random.nextInt() : random.nextInt(64);
            // A tick takes less than 100 ns here, so some of these events are late.
            long timeNanos = clock.nanoTime() - random.nextInt(120);
            ring.offer(timeNanos, kind, code, random.nextInt(8) == 0 ? Float.NaN : random.nextFloat(), -0f);
        }
    }

    static List<String> report(InputLog log) throws IOException {
        List<String> reported = new ArrayList<>();
        try (LogReader reader = log.reader()) {
            while (reader.next()) {
                reported.add(report(reader.tick()));
            }
        }
        return reported;
    }

    private static String report(LoggedTick tick) {
        return report(
                tick.input(),
                tick.commands,
                tick.wentBackTo,
                tick.number,
                tick.budgetUsed,
                tick.eventsWanted,
                tick.local,
                tick.stateHash);
    }

    private static String report(InputFrame input, List<CommandData> commands, Object... values) {
        StringBuilder text = new StringBuilder(Arrays.toString(values) + " in " + input.lengthNanos());
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            text.append(' ').append(event).append(event.y()).append('+').append(event.offsetNanos());
            text.append(event.isLate());
        }
        commands.forEach(command -> text.append(command.type()).append(Arrays.toString(command.bytes())));
        return text + " holding " + held(input.state());
    }

    private static String held(InputState state) {
        StringBuilder text = new StringBuilder();
        for (int code = 0; code < InputState.POINTERS; code++) {
            text.append(state.isKeyDown(code) ? 'k' : '-');
            text.append(state.isPointerDown(code) ? 'p' : '-');
            text.append(state.isButtonDown(code) ? 'b' : '-');
            text.append(state.axis(code)).append(' ');
        }
        return text.toString();
    }
}
