package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run of a game's own world that goes back, with boxes that touch, sleep, come and go. */
class JoltRewindTest {

    private static final TickRate RATE = TickRate.hertz(100);

    /** Numbers below stand for a throw, the others for a change. */
    private static final int THROWS = 40;

    /** Throws a box up. */
    private record Throw(int box) {

        static final CommandType<Throw, Integer> TYPE = CommandType.of(
                "throw", 1, (thrown, to) -> to.writeInt(thrown.box()), from -> new Throw(from.readInt()));
    }

    private static final class Traced extends ForwardingSimulation {

        final BoxGame game;

        /** By tick, the last time that it ran. */
        final NavigableMap<Long, Long> hashes = new TreeMap<>();

        Traced(BoxGame game) {
            super(game.simulation);
            this.game = game;
            game.simulation.restoreBodiesWith(game);
            game.simulation.commands().on(Throw.TYPE, (tick, thrown) -> {
                Body box = game.boxes.get(thrown.box() % game.boxes.size());
                game.world.bodyInterface().setLinearVelocity(box.getId(), new Vec3(0.5f, 6, 0));
                return thrown.box();
            });
        }

        /** By the engine's id, the id of each box. */
        Map<Integer, Long> ids() {
            Map<Integer, Long> ids = new TreeMap<>();
            game.boxes.forEach(box -> ids.put(box.getId(), game.simulation.idOf(box)));
            return ids;
        }

        @Override
        public void step(Tick tick) throws Exception {
            super.step(tick);
            hashes.tailMap(tick.number(), true).clear();
            hashes.put(tick.number(), hash());
        }
    }

    private final Deque<Traced> games = new ArrayDeque<>();
    private final ManualClock clock = new ManualClock(0);

    private Traced newGame(boolean keeps) {
        games.push(new Traced(new BoxGame(keeps)));
        return games.element();
    }

    @AfterEach
    void close() {
        games.forEach(traced -> {
            traced.close();
            traced.game.world.close();
        });
    }

    private void run(InlineDriver driver) {
        clock.advance(10_000_000);
        assertThat(driver.runDueTicks()).isEqualTo(1);
    }

    private InlineDriver driver(Traced game, StateHistory history) {
        return builder(game, history).inline(clock);
    }

    private static PhysicsServiceBuilder builder(Traced game, StateHistory history) {
        return PhysicsService.builder(game).rate(RATE).with(history);
    }

    private static void offer(InlineDriver to, int what) {
        if (what < THROWS) {
            assertThat(to.command(Throw.TYPE, new Throw(what))).isNotNull();
        } else {
            assertThat(to.command(BoxGame.Change.TYPE, new BoxGame.Change(what % 2 == 0)))
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "false, 1", "true, 4", "false, 4", "true, 1000"})
    void shouldHaveTheHashesOfARunWithTheSameCommandsFromThere(boolean keeps, int every, @TempDir Path folder)
            throws IOException {
        Path file = folder.resolve("boxes.esclog");
        Traced game = newGame(keeps);
        SplittableRandom random = new SplittableRandom(every);
        NavigableMap<Long, List<Integer>> commands = new TreeMap<>();
        NavigableMap<Long, Map<Integer, Long>> ids = new TreeMap<>();
        StateHistory history = StateHistory.ofTicks(80).every(every);
        long last = 0;
        int rewinds = 0;
        try (Recording recording = Recording.create(file, new RunDescription("jolt", "", "boxes", 0, RATE));
                InlineDriver driver = builder(game, history).with(recording).inline(clock)) {
            SnapshotReader reader = driver.newReader();
            long oldest = 0;
            for (int round = 1; round <= 800; round++) {
                oldest = Math.max(oldest, last - 80); // after going back, what is older than that stays forgotten
                if (random.nextInt(20) == 0) {
                    offer(driver, random.nextInt(50)); // dropped, if the run goes back now
                    last = random.nextLong(oldest, last + 1);
                    assertThat(history.rewind(last)).isNotNull();
                    commands.tailMap(last, false).clear();
                    rewinds++;
                }
                if (random.nextInt(6) == 0) {
                    int what = random.nextInt(50);
                    offer(driver, what);
                    commands.computeIfAbsent(last + 1, next -> new ArrayList<>())
                            .add(what);
                }
                List<Long> then = List.copyOf(game.hashes.headMap(last, true).values());
                run(driver);
                assertThat(game.hashes.headMap(last, true).values())
                        .as("also if ticks were simulated again")
                        .containsExactlyElementsOf(then);
                ids.tailMap(last, false).clear();
                last++;
                ids.put(last, game.ids());
                if (commands.getOrDefault(last, List.of()).stream().allMatch(what -> what < THROWS)) {
                    assertThat(ids.getOrDefault(last - 1, game.ids())).isEqualTo(game.ids());
                }
                assertThat(game.hashes.lastKey()).isEqualTo(last);
                assertThat(reader.acquire()).isEqualTo(round >= 3);
                if (round >= 3) {
                    assertThat(reader.window().newestTick()).isEqualTo(round);
                    assertThat(reader.window().newest().bodies().count()).isEqualTo(game.game.boxes.size());
                }
            }
        }
        assertThat(rewinds).isGreaterThan(20);
        Traced straight = newGame(keeps);
        try (InlineDriver driver = driver(straight, StateHistory.ofTicks(1).every(1 << 20))) {
            for (long tick = 1; tick <= last; tick++) {
                commands.getOrDefault(tick, List.of()).forEach(what -> offer(driver, what));
                run(driver);
            }
        }
        assertThat(straight.hashes).isEqualTo(game.hashes);
        assertThat(InputLog.open(file).repeat(() -> newGame(keeps))).hasToString("ran through");
    }
}
