package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests re-simulated ticks of a game's own world after late input, with boxes that touch, sleep, come and go. */
class JoltRollbackTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final int LATE_TICKS = 8;

    /** Throws a box up for each input event. The event's code says which box. */
    private static final class Thrown extends ForwardingSimulation {

        final BoxGame game;

        /** The hash of the last run of each tick, by tick. */
        final NavigableMap<Long, Long> hashes = new TreeMap<>();

        /** The number of deliveries of a contact minus its retractions, by contact. */
        final Map<String, Integer> contacts = new TreeMap<>();

        Thrown(BoxGame game) {
            super(game.simulation);
            this.game = game;
            game.simulation.listenToContacts();
            game.simulation.restoreBodiesWith(game);
        }

        @Override
        public void step(Tick tick) throws Exception {
            for (int i = 0; i < tick.input().size(); i++) {
                Body box = game.boxes.stream() // by id, because the game does not restore the order of its list
                        .sorted(BoxGame.BY_ID)
                        .skip(tick.input().event(i).code() % game.boxes.size())
                        .findFirst()
                        .orElseThrow();
                game.world.bodyInterface().setLinearVelocity(box.getId(), new Vec3(0.5f, 6, 0));
            }
            super.step(tick);
            hashes.tailMap(tick.number(), true).clear();
            hashes.put(tick.number(), hash());
        }

        void hear(EventStream events) {
            events.drain(event -> {
                String kind = event.kind().name();
                if (kind.startsWith("CONTACT_BEGAN") || kind.startsWith("CONTACT_ENDED")) {
                    String contact = BodyId.toString(event.body()) + " " + event.other() + " " + kind.substring(0, 13);
                    int more = kind.endsWith("RETRACTED") ? -1 : 1;
                    contacts.merge(contact, more, (a, b) -> a + b == 0 ? null : a + b);
                }
            });
        }
    }

    private final List<BoxGame> games = new ArrayList<>();
    private final ManualClock clock = new ManualClock(0);
    private final NavigableMap<Long, List<Long>> lateStamps = new TreeMap<>(); // by the tick in which they arrive

    private Thrown newGame(boolean keeps) {
        games.add(new BoxGame(keeps));
        return new Thrown(games.get(games.size() - 1));
    }

    @AfterEach
    void close() {
        games.forEach(BoxGame::close);
    }

    private static List<Long> ids(Snapshot snapshot) {
        List<Long> ids = new ArrayList<>();
        for (int slot = 0; slot < snapshot.bodies().slotCount(); slot++) {
            ids.add(snapshot.bodies().exists(slot) ? snapshot.bodies().id(slot) : 0);
        }
        return ids;
    }

    /** Offers an input in some ticks: to {@code punctual} at once, to {@code late} up to {@link #LATE_TICKS} later. */
    private void offerInput(long tick, SplittableRandom random, InlineDriver late, InlineDriver punctual) {
        if (random.nextInt(4) == 0) {
            long stamp = (tick - 1) * TICK_NANOS + 1 + random.nextInt(1000);
            throwBox(punctual, stamp);
            lateStamps
                    .computeIfAbsent(tick + random.nextInt(LATE_TICKS + 1), at -> new ArrayList<>())
                    .add(stamp);
        }
        lateStamps.getOrDefault(tick, List.of()).forEach(stamp -> throwBox(late, stamp));
        lateStamps.remove(tick);
    }

    private static void throwBox(InlineDriver driver, long stamp) {
        driver.input().offer(stamp, InputKind.APPLICATION, (int) (stamp % 1000), 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"true, 4", "false, 1"})
    void shouldReSimulateToTheResultsOfPunctualInput(boolean keeps, int every) {
        SplittableRandom random = new SplittableRandom(every);
        Thrown late = newGame(keeps);
        Thrown punctual = newGame(keeps);
        StateHistory history = StateHistory.ofTicks(LATE_TICKS + 1).every(every).rollBack(LATE_TICKS);
        try (InlineDriver driver = PhysicsService.builder(late).with(history).inline(clock);
                InlineDriver intime = PhysicsService.builder(punctual).inline(clock);
                EventStream told = driver.events(1024);
                EventStream truly = intime.events(1024)) {
            var reader = driver.newReader();
            var truth = intime.newReader();
            int compared = 0;
            for (long tick = 1; tick <= 300; tick++) {
                offerInput(tick, random, driver, intime);
                if (random.nextInt(12) == 0) {
                    var change = new BoxGame.Change(random.nextBoolean());
                    assertThat(driver.command(BoxGame.Change.TYPE, change)).isNotNull();
                    assertThat(intime.command(BoxGame.Change.TYPE, change)).isNotNull();
                }
                clock.advance(TICK_NANOS);
                assertThat(driver.runDueTicks()).isOne();
                assertThat(intime.runDueTicks()).isOne();
                late.hear(told);
                punctual.hear(truly);
                assertThat(reader.acquire()).isEqualTo(truth.acquire());
                if (lateStamps.isEmpty() && tick > 3) {
                    compared++;
                    assertThat(late.hashes).isEqualTo(punctual.hashes);
                    assertThat(ids(reader.window().newest()))
                            .isEqualTo(ids(truth.window().newest()));
                    assertThat(late.contacts).as("tick %d", tick).isEqualTo(punctual.contacts);
                }
            }
            assertThat(compared).isGreaterThan(20);
            assertThat(driver.stats().rollbacks()).isGreaterThan(40);
            assertThat(driver.stats().droppedLateInputs()).isZero();
            assertThat(late.contacts.values()).as("there are some").anyMatch(count -> count > 0);
        }
    }
}
