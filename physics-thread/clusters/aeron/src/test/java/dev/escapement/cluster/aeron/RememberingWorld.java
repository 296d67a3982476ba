package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A world that remembers its inputs and commands, and for each tick a hash of its input and of the state after it. */
class RememberingWorld extends PushedMasses {

    private static final int BODIES = 8;

    /** The only key that tests press. */
    static final int KEY = 87;

    final List<Long> hashes = Collections.synchronizedList(new ArrayList<>());

    final List<Integer> events = new ArrayList<>();
    final List<Integer> commands = new ArrayList<>();

    /** The first tick that this process ran. */
    long firstTick;

    /** A command with 60 kB of data. The world remembers its number as that of a command. */
    record Load(int number) {
        private static final int BYTES = 60_000;
        static final CommandType<Load, Integer> TYPE = CommandType.of(
                "load",
                1,
                (load, to) -> {
                    to.writeInt(load.number());
                    to.write(new byte[BYTES]);
                },
                from -> {
                    Load load = new Load(from.readInt());
                    from.readFully(new byte[BYTES]);
                    return load;
                });
    }

    RememberingWorld() {
        super(BODIES);
        commands().on(Load.TYPE, (tick, load) -> {
            commands.add(load.number());
            return load.number();
        });
    }

    @Override
    public void step(Tick tick) {
        super.step(tick);
        firstTick = firstTick == 0 ? tick.number() : firstTick;
        InputFrame input = tick.input();
        long offsetNanos = 0;
        long seen = 0;
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            if (event.kind() == InputKind.APPLICATION) {
                events.add(event.code());
            }
            seen = 31 * (31 * (31 * seen + event.sequence()) + event.offsetNanos()) + event.sender();
            assertThat(event.offsetNanos()).isBetween(offsetNanos, input.lengthNanos());
            offsetNanos = event.offsetNanos();
        }
        for (int i = 0; i < input.senderCount(); i++) {
            int sender = input.sender(i);
            seen = 31 * seen + 2L * sender + (input.state(sender).isKeyDown(KEY) ? 1 : 0);
        }
        hashes.add(31 * seen + hash());
    }

    @Override
    public void save(StateBuffer to) {
        super.save(to);
        to.put((long) hashes.size());
        hashes.forEach(to::put);
        for (List<Integer> remembered : List.of(events, commands)) {
            to.put((long) remembered.size());
            remembered.forEach(number -> to.put((long) number));
        }
    }

    @Override
    public void restore(StateBuffer from) {
        super.restore(from);
        for (long left = from.getLong(); left > 0; left--) {
            hashes.add(from.getLong());
        }
        for (List<Integer> remembered : List.of(events, commands)) {
            for (long left = from.getLong(); left > 0; left--) {
                remembered.add((int) from.getLong());
            }
        }
    }

    /** Pushes a body, and remembers {@code dvy} if the push comes from a command. Only such a push has no {@code dvx}. */
    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        super.push(Math.floorMod(body, BODIES), dvx, dvy, dvz);
        if (dvx == 0) {
            commands.add((int) dvy);
        }
    }
}
