package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputState;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.NullMarked;

/** Masses that record each tick's commands and input, and the hash after it. A re-simulated tick replaces the record of the first run. */
@NullMarked
class TracedMasses extends PushedMasses {

    private record Got(List<Push> pushes, RecordedInput input, long hash) {}

    private final int bodies;
    private final CommandHandlers handlers;
    private final TreeMap<Long, Got> ticks = new TreeMap<>();
    private List<Push> coming = new ArrayList<>();

    TracedMasses(int bodies) {
        super(bodies);
        this.bodies = bodies;
        handlers = new CommandHandlers().on(Push.TYPE, (tick, push) -> {
            noted(push);
            return push.body();
        });
    }

    @Override
    public CommandHandlers commands() {
        return handlers;
    }

    private void noted(Push push) {
        coming.add(push); // a push of an unknown body is recorded too, though it throws
        push(push.body(), 0, push.dvy(), 0);
    }

    /** Pushes a body and records it, as a command without a {@code CommandType} would. */
    void pushLocally(int body) {
        noted(new Push(body, 1));
    }

    @Override
    public void step(Tick tick) {
        super.step(tick);
        trace(tick);
    }

    void trace(Tick tick) {
        RecordedInput input = new RecordedInput();
        input.copyFrom(tick.input());
        ticks.tailMap(tick.number()).clear();
        ticks.put(tick.number(), new Got(coming, input, hash()));
        coming = new ArrayList<>();
    }

    @Override
    public void restore(StateBuffer from) {
        super.restore(from);
        coming = new ArrayList<>();
    }

    long last() {
        return ticks.isEmpty() ? 0 : ticks.lastKey();
    }

    List<Push> pushes(long tick) {
        return Objects.requireNonNull(ticks.get(tick)).pushes();
    }

    List<Long> hashes(long after, long to) {
        return ticks.subMap(after, false, to, true).values().stream()
                .map(Got::hash)
                .toList();
    }

    List<String> got(long from, long to) {
        List<String> texts = new ArrayList<>();
        ticks.subMap(from, true, to, true).forEach((number, got) -> {
            StringBuilder text = new StringBuilder(number + " " + got.hash() + " " + got.pushes());
            InputFrame input = got.input().frame();
            for (int i = 0; i < input.size(); i++) {
                InputEvent event = input.event(i);
                text.append(' ').append(event.kind()).append(event.code()).append(event.isLate() ? " late " : " at ");
                text.append(event.offsetNanos());
            }
            for (int key = 0; key < InputState.KEYS; key++) {
                text.append(input.state().isKeyDown(key) ? " holds " + key : "");
            }
            texts.add(text.toString());
        });
        return texts;
    }

    /** Steps new masses with the recorded pushes and inputs from tick 1, and asserts equal hashes. The new run re-simulates nothing. */
    void requireTheHashesOfARunWithoutRewinds() {
        assertThat(ticks.firstKey()).isEqualTo(1);
        assertThat(ticks).hasSize(Math.toIntExact(last()));
        PushedMasses straight = new PushedMasses(bodies);
        ticks.forEach((number, got) -> {
            for (Push push : got.pushes()) {
                try {
                    straight.push(push.body(), 0, push.dvy(), 0);
                } catch (ArrayIndexOutOfBoundsException thereToo) {
                    // the recorded command threw, too
                }
            }
            straight.step(Tick.of(TickRate.hertz(100), number, 0, 0, got.input().frame(), false));
            assertThat(straight.hash()).as("after tick %d", number).isEqualTo(got.hash());
        });
    }
}
