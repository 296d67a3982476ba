package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.Slice;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputLevels;
import dev.escapement.state.input.InputState;
import dev.escapement.state.input.RecordedInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two to eight clients over a bad network, that come, leave, die and change their addresses, while time runs or stands still: each event is
 * of the client that offered it, and each tick has the levels of each sender. A seed that fails once always fails.
 */
class SeededSendersTest {

    private static final int KEYS = 6;
    private static final int ROUNDS = 150;
    private static final int OF_A_CLIENT = 1_000_000;

    /** A program that plays: its events have codes of its own. */
    private static final class Player {
        final int number;
        final ClientEndpoint client;

        int port;
        int offered;
        int taken;

        Player(int number, ClientEndpoint client, int port) {
            this.number = number;
            this.client = client;
            this.port = port;
        }
    }

    private EndpointFixture fixture = new EndpointFixture(1);
    private SplittableRandom random = new SplittableRandom(1);
    private final List<Player> players = new ArrayList<>();
    private final List<Player> playing = new ArrayList<>();
    private int port;

    /** The keys that each sender holds; those of all together. */
    private final Map<Integer, Set<Integer>> held = new LinkedHashMap<>();

    private final Set<Integer> heldByAny = new TreeSet<>();
    private final Set<Integer> joined = new HashSet<>();

    /** The player of each sender: what clients know of themselves, and what comes from them. */
    private final Map<Integer, Integer> owners = new HashMap<>();

    // The input as a log has it, and as it comes out again.
    private final InputLevels tracker = new InputLevels();
    private final RecordedInput repeated = new RecordedInput();

    static LongStream seeds() {
        return Slice.current().seeds(500);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldKnowWhoSentEachEventAndHoldsWhat(long seed) {
        fixture = new EndpointFixture(seed);
        random = new SplittableRandom(seed);
        boolean isOftenFull = random.nextInt(4) == 0;
        fixture.newRing(isOftenFull ? 16 : 1024);
        Access access = seed % 2 == 0 ? EndpointFixture.KEY : EndpointFixture.PLAIN;
        int most = 2 + random.nextInt(7);
        ServerEndpoint server = fixture.serve(access, new Limits(most, 1000));
        fixture.network.lost = random.nextInt(3) / 10.0;
        fixture.network.repeated = random.nextInt(2) / 10.0;
        fixture.network.maxNanos = (1 + random.nextInt(60)) * TestNetwork.MILLI;
        for (int round = 0; round < ROUNDS; round++) {
            if (playing.size() < most && random.nextInt(4) == 0) {
                join(access);
            }
            playing.forEach(this::play);
            boolean isPaused = random.nextInt(10) == 0;
            for (int i = random.nextInt(12); i > 0; i--) {
                pass(isPaused);
            }
            if (!playing.isEmpty() && random.nextInt(6) == 0) {
                vanish(playing.get(random.nextInt(playing.size())));
            }
            if (random.nextInt(40) == 0) { // all are away: shorter than a session lasts, or longer
                double lost = fixture.network.lost;
                fixture.network.lost = 1;
                for (int i = random.nextInt(600); i > 0; i--) {
                    pass(false);
                }
                fixture.network.lost = lost;
            }
        }
        if (!isOftenFull && seed % 3 == 0) {
            server.close(fixture.network.clock.nanoTime());
            fixture.network.remove(EndpointFixture.SERVER);
        }
        players.forEach(player -> fixture.network.remove(TestNetwork.address(player.port)));
        for (int i = 0; i < 700; i++) {
            pass(false);
        }
        assertThat(held).as("who is gone has left").isEmpty();
        assertThat(heldByAny).as("and holds nothing").isEmpty();
        assertThat(players).hasSizeGreaterThan(1);
        assertThat(players.stream().mapToInt(player -> player.taken).sum()).isGreaterThan(20);
    }

    private void join(Access access) {
        Player player = new Player(players.size(), fixture.connect(++port, access), port);
        players.add(player);
        playing.add(player);
    }

    private void play(Player player) {
        for (int i = random.nextInt(3); i > 0; i--) {
            if (fixture.offer(player.client, player.number * OF_A_CLIENT + player.offered)) {
                player.offered++;
            }
        }
        if (random.nextBoolean()) {
            InputKind kind = random.nextBoolean() ? InputKind.KEY_DOWN : InputKind.KEY_UP;
            player.client.inputs().offer(fixture.network.clock.nanoTime(), kind, random.nextInt(KEYS), 0, 0);
        }
    }

    private void vanish(Player player) {
        TestNetwork network = fixture.network;
        switch (random.nextInt(3)) {
            case 0 -> {
                network.move(TestNetwork.address(player.port), TestNetwork.address(++port));
                player.port = port;
            }
            case 1 -> {
                player.client.close(network.clock.nanoTime());
                stop(player);
            }
            default -> stop(player);
        }
    }

    private void stop(Player player) {
        fixture.network.remove(TestNetwork.address(player.port));
        playing.remove(player);
    }

    /** Some time, and perhaps a tick, or none because time stands still. */
    private void pass(boolean isPaused) {
        fixture.network.run(1 + random.nextInt(20));
        for (Player player : playing) {
            if (player.client.sender() != 0) { // before it is connected
                own(player.client.sender(), player);
            }
        }
        long nowNanos = fixture.network.clock.nanoTime();
        if (isPaused) {
            fixture.sampler.drainWhilePaused(nowNanos, (event, state) -> take(event));
        } else if (random.nextInt(3) > 0) {
            check(fixture.sampler.sample(nowNanos, nowNanos));
        }
    }

    /** What must be true of an event, and what it changes. */
    private void take(InputEvent event) {
        int sender = event.sender();
        boolean isAgain = event.sequence() < 0; // a tick hears of what happened while time stood still
        switch (event.kind()) {
            case SENDER_JOINED -> {
                assertThat(joined.add(sender)).as("sender %d is new", sender).isNotEqualTo(isAgain);
                assertThat(held.putIfAbsent(sender, new TreeSet<>()) != null).isEqualTo(isAgain);
            }
            case SENDER_LEFT -> {
                Set<Integer> rest = held.remove(sender);
                assertThat(rest).as("held by sender %d, which leaves", sender).isEqualTo(isAgain ? null : Set.of());
            }
            case KEY_DOWN -> {
                heldBy(sender).add(event.code());
                heldByAny.add(event.code());
            }
            case KEY_UP -> {
                heldBy(sender).remove(event.code());
                heldByAny.remove(event.code());
            }
            default -> {
                Player player = players.get(event.code() / OF_A_CLIENT);
                assertThat(held).containsKey(sender);
                own(sender, player);
                assertThat(event.code() % OF_A_CLIENT).as("in order").isGreaterThanOrEqualTo(player.taken);
                player.taken = event.code() % OF_A_CLIENT + 1;
            }
        }
    }

    /** Nobody else has a number. A client that was away may know its new one a round trip after its first events. */
    private void own(int sender, Player player) {
        assertThat(owners.merge(sender, player.number, (before, now) -> before))
                .as("the player of sender %d", sender)
                .isEqualTo(player.number);
    }

    private Set<Integer> heldBy(int sender) {
        return Objects.requireNonNull(held.get(sender), "the sender has not joined, or has left");
    }

    private void check(InputFrame input) {
        for (int i = 0; i < input.size(); i++) {
            take(input.event(i));
        }
        assertThat(keys(input.state())).isEqualTo(heldByAny);
        assertThat(levels(input)).isEqualTo(new TreeMap<>(held));
        repeated.begin(input.lengthNanos());
        for (int i = 0; i < input.size(); i++) {
            repeated.add(input.event(i));
        }
        tracker.update(input, repeated.levels()::set);
        assertThat(keys(repeated.frame().state())).isEqualTo(heldByAny);
        assertThat(levels(repeated.frame())).as("repeated").isEqualTo(levels(input));
    }

    private static Map<Integer, Set<Integer>> levels(InputFrame input) {
        Map<Integer, Set<Integer>> levels = new TreeMap<>();
        for (int i = 0; i < input.senderCount(); i++) {
            levels.put(input.sender(i), keys(input.state(input.sender(i))));
        }
        return levels;
    }

    private static Set<Integer> keys(InputState state) {
        Set<Integer> keys = new TreeSet<>();
        for (int code = 0; code < KEYS; code++) {
            if (state.isKeyDown(code)) {
                keys.add(code);
            }
        }
        return keys;
    }
}
