package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Slice;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputState;
import dev.escapement.state.input.RemoteSources;
import dev.escapement.state.input.TrackedSource;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares two to eight senders with a model. They join, press keys, send late input and leave, with pauses, rewinds, rollback and a small
 * ring.
 */
class SendersTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final RunDescription RUN = new RunDescription("senders", "1", "", 0, RATE);
    private static final int TICK_NANOS = 10_000_000;
    private static final int KEYS = 6;
    private static final int TICKS = 200;
    private static final int LATE_TICKS = 4;

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock(0);
    private final Game game = new Game();

    static LongStream seeds() {
        return Slice.current().seeds(System.getenv("SLICE") == null ? 100 : 500, SendersTest.class);
    }

    /** A game whose state is the set of players that joined, known from events only. */
    private static final class Game implements Simulation, Restorable {

        private final TreeSet<Integer> players = new TreeSet<>();
        private long hash;
        private long dueNanos;
        private final Map<Integer, Long> held = new TreeMap<>();
        private long ofAll;
        private int joins;

        @Override
        public void step(Tick tick) {
            InputFrame input = tick.input();
            for (int i = 0; i < input.size(); i++) {
                take(input, input.event(i));
            }
            List<Integer> senders = new ArrayList<>();
            held.clear();
            held.put(0, keys(input.state(0)));
            for (int i = 0; i < input.senderCount(); i++) {
                senders.add(input.sender(i));
                held.put(input.sender(i), keys(input.state(input.sender(i))));
            }
            assertThat(senders).as("by events, in tick %s", tick.number()).containsExactlyElementsOf(players);
            ofAll = keys(input.state());
            hash = 31 * hash + 7L * held.hashCode() + ofAll;
            dueNanos = tick.dueNanos();
        }

        private void take(InputFrame input, InputEvent event) {
            int sender = event.sender();
            hash = 31 * hash + sender;
            hash = 31 * hash + event.kind().number();
            hash = 31 * hash + event.code();
            if (event.kind() == InputKind.SENDER_JOINED) {
                assertThat(players.add(sender)).as("%s", event).isTrue();
                joins++;
            } else if (event.kind() == InputKind.SENDER_LEFT) {
                assertThat(players.remove(sender)).as("%s", event).isTrue();
                assertThat(keys(input.state(sender))).as("%s", event).isZero();
            } else {
                assertThat(sender == 0 || players.contains(sender))
                        .as("%s", event)
                        .isTrue();
                assertThat(event.code()).as("%s", event).isIn(sender % KEYS, KEYS);
            }
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(0);
        }

        @Override
        public long hash() {
            return hash;
        }

        @Override
        public void save(StateBuffer to) {
            to.put(hash).put((long) players.size());
            players.forEach(player -> to.put((long) player));
        }

        @Override
        public void restore(StateBuffer from) {
            hash = from.getLong();
            players.clear();
            for (long left = from.getLong(); left > 0; left--) {
                players.add((int) from.getLong());
            }
        }
    }

    private static long keys(InputState state) {
        long keys = 0;
        for (int key = 0; key <= KEYS; key++) {
            keys |= state.isKeyDown(key) ? 1L << key : 0;
        }
        return keys;
    }

    /** A sender, and its events that the ring accepted, at times that never go back. */
    private final class Player {

        private final TrackedSource source;
        private final int sender;
        private final List<long[]> accepted = new ArrayList<>(); // time, key, down
        private long latestNanos = clock.nanoTime();

        Player(TrackedSource source) {
            this.source = source;
            sender = source.sender();
            if (sender == 0) {
                latestNanos++; // input from before the first tick belongs to no tick
            }
        }

        void act(SplittableRandom random) {
            long nanos = clock.nanoTime() - random.nextInt(-TICK_NANOS, LATE_TICKS * TICK_NANOS);
            latestNanos = Math.max(latestNanos, nanos);
            int key = random.nextBoolean() ? KEYS : sender % KEYS; // either a key that all press, or one that few press
            boolean down = random.nextBoolean();
            if (source.offer(latestNanos, down ? InputKind.KEY_DOWN : InputKind.KEY_UP, key, 0, 0)) {
                accepted.add(new long[] {latestNanos, key, down ? 1 : 0});
            }
        }

        long heldAt(long nanos) {
            long keys = 0;
            for (long[] event : accepted) {
                if (event[0] <= nanos) {
                    keys = event[2] == 1 ? keys | 1L << event[1] : keys & ~(1L << event[1]);
                }
            }
            return keys;
        }

        boolean hasActedBy(long nanos) {
            return !accepted.isEmpty() && accepted.get(0)[0] <= nanos;
        }
    }

    /** With rollback and rewinds, held keys are not checked: the order of events in a tick that a rewind dropped is not known. */
    private static boolean isKnown(long seed) {
        return seed % 3 != 2 || seed % 7 < 4;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldGiveEachEventAndLevelToItsSender(long seed) throws Exception {
        boolean isReleased = play(seed, players -> {
            for (Player player : players) {
                if (isKnown(seed) && (player.sender == 0 || player.hasActedBy(game.dueNanos))) {
                    assertThat(game.held.get(player.sender))
                            .as("sender %s", player.sender)
                            .isEqualTo(player.heldAt(game.dueNanos));
                }
            }
        });
        assertThat(InputLog.open(folder.resolve("run.esclog")).repeat(Game::new))
                .hasToString("ran through");
        assertThat(isReleased).as("all have left").isTrue();
        assertThat(game.held.keySet()).containsExactly(0);
        if (isKnown(seed)) {
            assertThat(game.held.get(0)).isZero();
            assertThat(game.ofAll).isZero();
        }
        assertThat(game.joins).isPositive();
    }

    /** Plays a run that all senders leave in the end, and returns whether the ring took all releases. The local sender is first. */
    private boolean play(long seed, Consumer<List<Player>> afterTicks) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int maxPlayers = 3 + random.nextInt(7);
        boolean rollsBack = seed % 3 != 0;
        boolean jumps = seed % 3 != 1;
        boolean rewinds = jumps && !(rollsBack && isKnown(seed));
        StateHistory history = StateHistory.ofTicks(30).every(1 + random.nextInt(5));
        try (Recording recording = Recording.create(folder.resolve("run.esclog"), RUN);
                InlineDriver driver = PhysicsService.builder(game)
                        .rate(RATE)
                        .inputCapacity(jumps ? 32 : 128) // large where a full ring would delay the checked input
                        .with(rollsBack ? history.rollBack(LATE_TICKS) : history)
                        .with(recording)
                        .inline(clock)) {
            RemoteSources sources = new RemoteSources(driver.input());
            List<Player> players = new ArrayList<>(List.of(new Player(sources.local())));
            for (int round = 0; round < TICKS; round++) {
                changePlayers(random, sources, players, maxPlayers);
                for (int left = random.nextInt(12); left > 0; left--) {
                    players.get(random.nextInt(players.size())).act(random);
                }
                int choice = jumps ? random.nextInt(12) : 12;
                if (choice == 0) {
                    driver.pause();
                } else if (choice <= 3) {
                    driver.resume();
                } else if (choice == 4 && rewinds) {
                    var unused = history.rewind(Math.max(0, round - random.nextInt(12)));
                }
                clock.advance(TICK_NANOS);
                if (driver.runDueTicks() > 0) {
                    afterTicks.accept(players);
                }
            }
            players.forEach(player -> sources.leave(player.source));
            driver.resume();
            for (int tick = 0; tick < 6; tick++) {
                clock.advance(TICK_NANOS);
                driver.runDueTicks();
                sources.release();
            }
            return sources.release();
        }
    }

    private void changePlayers(SplittableRandom random, RemoteSources sources, List<Player> players, int maxPlayers) {
        if (players.size() < maxPlayers && random.nextInt(6) == 0) {
            players.add(new Player(sources.join()));
        }
        if (players.size() > 1 && random.nextInt(20) == 0) {
            sources.leave(players.remove(1 + random.nextInt(players.size() - 1)).source);
        }
        sources.release();
    }
}
