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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A world that remembers and checks its inputs and commands. */
class RememberingWorld extends PushedMasses {

    private static final int BODIES = 8;

    /** Larger than the code of any pressed key. */
    private static final int KEYS = 100;

    private static final Set<Integer> NOTHING = Set.of();

    /** The first code of the first client's events; the second client's begin at twice that, and so on. */
    static final int OF_A_CLIENT = 100_000;

    final List<Long> hashes = new ArrayList<>();
    final List<Integer> events = new ArrayList<>();
    final List<Integer> commands = new ArrayList<>();

    /** The keys that each sender holds. */
    final Map<Integer, Set<Integer>> held = new TreeMap<>();

    /** The client of each sender, by the codes of its events. */
    final Map<Integer, Integer> clients = new TreeMap<>();

    /** Whether the levels follow from the events alone, because time never stands still. */
    boolean levelsAreOfEvents;

    private int lastJoined;

    /** A command with much data, remembered like a push. */
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
        long offsetNanos = 0;
        long seen = 0;
        for (int i = 0; i < tick.input().size(); i++) {
            InputEvent event = tick.input().event(i);
            if (event.kind() == InputKind.APPLICATION) {
                events.add(event.code());
            }
            take(event);
            seen = 31 * (31 * (31 * seen + event.sequence()) + event.offsetNanos()) + event.sender();
            assertThat(event.offsetNanos()).isBetween(offsetNanos, tick.input().lengthNanos());
            offsetNanos = event.offsetNanos();
        }
        check(tick.input());
        hashes.add(31 * (31 * seen + held.hashCode()) + hash());
    }

    /** Checks an event, and applies it to {@link #held} and {@link #clients}. */
    private void take(InputEvent event) {
        int sender = event.sender();
        switch (event.kind()) {
            case SENDER_JOINED -> {
                assertThat(sender).isGreaterThan(lastJoined);
                lastJoined = sender;
                held.put(sender, new TreeSet<>());
            }
            case SENDER_LEFT -> {
                Set<Integer> rest = held.remove(sender);
                assertThat(rest).isNotNull();
                assertThat(levelsAreOfEvents ? rest : NOTHING)
                        .as("held by sender %d, which leaves", sender)
                        .isEmpty();
            }
            case KEY_DOWN -> Objects.requireNonNull(held.get(sender)).add(event.code());
            case KEY_UP -> Objects.requireNonNull(held.get(sender)).remove(event.code());
            case APPLICATION -> {
                assertThat(held).containsKey(sender);
                int client = event.code() / OF_A_CLIENT;
                assertThat(clients.merge(sender, client, (known, now) -> now))
                        .as("client of sender %d", sender)
                        .isEqualTo(client);
            }
            default -> {
                // these tests send no other kinds
            }
        }
    }

    /** Checks the levels. Adopts levels that changed in a pause, because no event has them. */
    private void check(InputFrame input) {
        Map<Integer, Set<Integer>> levels = new TreeMap<>();
        for (int i = 0; i < input.senderCount(); i++) {
            Set<Integer> keys = new TreeSet<>();
            for (int code = 0; code < KEYS; code++) {
                if (input.state(input.sender(i)).isKeyDown(code)) {
                    keys.add(code);
                }
            }
            levels.put(input.sender(i), keys);
        }
        assertThat(levels.keySet()).isEqualTo(held.keySet());
        if (levelsAreOfEvents) {
            assertThat(levels).isEqualTo(held);
        }
        held.putAll(levels);
    }

    /** Saves the masses, and all remembered inputs. */
    @Override
    public void save(StateBuffer to) {
        super.save(to);
        to.put((long) hashes.size());
        hashes.forEach(to::put);
        for (List<Integer> remembered : List.of(events, commands)) {
            to.put((long) remembered.size());
            remembered.forEach(number -> to.put((long) number));
        }
        to.put((long) lastJoined).put((long) held.size());
        held.forEach((sender, keys) -> {
            to.put((long) sender).put((long) keys.size());
            keys.forEach(key -> to.put((long) key));
        });
        to.put((long) clients.size());
        clients.forEach((sender, client) -> to.put((long) sender).put((long) client));
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
        lastJoined = (int) from.getLong();
        for (long left = from.getLong(); left > 0; left--) {
            Set<Integer> keys = new TreeSet<>();
            held.put((int) from.getLong(), keys);
            for (long more = from.getLong(); more > 0; more--) {
                keys.add((int) from.getLong());
            }
        }
        for (long left = from.getLong(); left > 0; left--) {
            clients.put((int) from.getLong(), (int) from.getLong());
        }
    }

    /** Pushes a body, and remembers the pushes of commands, which have no {@code dvx}. */
    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        super.push(Math.floorMod(body, BODIES), dvx, dvy, dvz);
        if (dvx == 0) {
            commands.add((int) dvy);
        }
    }
}
