package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.Answer;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Spawned;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a simulation around a world that the game already has promises in every engine, on one thread and a clock of its own; with
 * threads see {@link ExistingWorldThreadsContract}. A test per engine extends this and says how to make a world and how to wrap it.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
@Timeout(120)
public abstract class ExistingWorldContract<W, B> {

    private static final double DT_SECONDS = 0.01;
    private static final long TICK_NANOS = 10_000_000;

    /** By then boxes that fell a few metres have come to rest and sleep. */
    private static final int ASLEEP_TICK = 800;

    private final ManualClock clock = new ManualClock(0);

    /** Commands and queries, none of which may fail. */
    private final List<CompletableFuture<?>> given = new ArrayList<>();

    private GameWorld<W, B> game;
    private WorldSimulation<W, B> simulation;
    private InlineDriver driver;
    private SnapshotReader reader;

    /** A new world with a floor and nothing else. */
    protected abstract GameWorld<W, B> createGame();

    /** The simulation that is tested, around a world. */
    protected abstract WorldSimulation<W, B> wrap(GameWorld<W, B> world);

    @SuppressWarnings("NullAway.Init") // start() sets the fields
    protected ExistingWorldContract() {}

    @BeforeEach
    void start() {
        game = createGame();
        simulation = wrap(game);
        driver = PhysicsService.builder(simulation).inline(clock);
        reader = driver.newReader();
    }

    @AfterEach
    void close() {
        driver.close();
        game.close();
    }

    @Test
    void attachedBodiesAreShownWhereTheEngineHasThemAndNothingElseIs() {
        B low = attach(game.addBox(0, 0.8), 5);
        B high = attach(game.addBox(0.6, 2.5), 6); // topples off the lower one
        game.addBox(5, 3);
        tick(2);
        boolean turned = false;
        for (int tick = 0; tick < 300; tick++) {
            tick(1);
            assertShown(low);
            assertShown(high);
            assertThat(newest().bodies().count()).isEqualTo(2);
            turned |= game.pose(high)[6] < 0.99;
        }
        assertThat(turned).as("a rotation was compared").isTrue();
        assertThat(newest().bodies().userData(BodyId.slot(simulation.idOf(low))))
                .isEqualTo(5);
        assertThat(newest().bodies().userData(BodyId.slot(simulation.idOf(high))))
                .isEqualTo(6);
    }

    @Test
    void sleepingBodiesAreShownWhereTheyAreAndCostNothing() {
        B box = attach(game.addBox(0, 1), 1);
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        assertShown(box);
        assertThat(newest().motion(0).changedTick()).isLessThan(ASLEEP_TICK - 10);
        command(() -> game.setVelocity(box, 0, 3));
        tick(1);
        assertShown(box);
        assertThat(newest().motion(0).changedTick()).isEqualTo(ASLEEP_TICK + 1);
    }

    /** Not every engine wakes what the game moves. */
    @Test
    void aBodyThatTheGameMovesInItsSleepIsShownWhereItIsAndTouchesTheOldPlaceNoMore() {
        B box = attach(game.addBox(0, 0.6), 1);
        EventStream events = driver.events(64);
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        assertThat(contacts(events)).hasSize(1).first().asString().contains("CONTACT_BEGAN");
        command(() -> game.place(box, 2, 9));
        tick(1);
        assertShown(box);
        assertThat(game.pose(box)[0]).isCloseTo(2, within(0.01));
        assertThat(contacts(events)).hasSize(1).first().asString().contains("CONTACT_ENDED");
    }

    @Test
    void commandsMakeBodiesWhoseIdsAreKnownAtOnceAndRemoveThem() throws Exception {
        tick(3);
        Spawned<B> first = spawn(0, 3, 70);
        assertThat(first.id()).isEqualTo(BodyId.of(0, 1));
        tick(1);
        B box = first.answer().get().value();
        assertThat(newest().bodies().exists(first.id())).isTrue();
        assertThat(newest().bodies().userData(0)).isEqualTo(70);
        assertThat(simulation.idOf(box)).isEqualTo(first.id());
        assertShown(box);

        command(() -> removeDetached(box));
        tick(1);
        assertThat(newest().bodies().exists(first.id())).isFalse();
        assertThat(newest().bodies().count()).isZero();

        tick(3); // until no window has the first one
        Spawned<B> second = spawn(0, 3, 71);
        tick(1);
        assertThat(BodyId.slot(second.id())).isZero();
        assertThat(second.id()).as("another generation").isNotEqualTo(first.id());
        assertThat(newest().bodies().exists(second.id())).isTrue();
        assertThat(newest().bodies().exists(first.id())).isFalse();
        assertThat(newest().bodies().userData(0)).isEqualTo(71);
    }

    @Test
    void aBodyThatWasDetachedStaysInTheWorldAndCanBeAttachedAgain() {
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        long id = simulation.idOf(box);
        simulation.detach(box);
        tick(1);
        assertThat(newest().bodies().exists(id)).isFalse();
        double before = game.pose(box)[1];
        tick(1);
        assertThat(game.pose(box)[1]).as("it goes on falling").isLessThan(before);
        simulation.attach(box, 2);
        tick(1);
        assertThat(simulation.idOf(box)).isNotEqualTo(id);
        assertThat(newest().bodies().userData(BodyId.slot(simulation.idOf(box))))
                .isEqualTo(2);
        assertShown(box);
    }

    @Test
    void aBodyThatIsGoneBeforeItsFirstCaptureIsNeverShown() throws Exception {
        Spawned<B> crate = spawn(0, 3, 1);
        command(() -> removeDetached(attachedLast()));
        tick(4);
        assertThat(crate.answer().get().tick()).isEqualTo(1);
        assertThat(newest().bodies().count()).isZero();
        Spawned<B> next = spawn(0, 3, 1);
        tick(1);
        assertThat(BodyId.slot(next.id())).as("its slot is free again").isZero();
        assertThat(newest().bodies().exists(next.id())).isTrue();
    }

    @Test
    void whatCannotBeAttachedOrDetachedIsRefusedWithTheReason() {
        B box = attach(game.addBox(0, 5), 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> simulation.idOf(box))
                .withMessageContaining("gets its id in its first capture");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.attach(box, 2))
                .withMessageContaining("attached already");
        B other = game.addBox(3, 5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.detach(other))
                .withMessageContaining("not attached");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.attach(0, other, 2)) // what a refused spawn returns
                .withMessageContaining("is no body's id");
        game.remove(other);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.attach(other, 2))
                .withMessageContaining("add it to the world first");
        tick(3);
        assertThat(newest().bodies().count()).isEqualTo(1);
    }

    @Test
    void contactsOfAttachedBodiesBeginAndEnd() {
        B low = attach(game.addBox(0, 0.6), 1);
        B high = attach(game.addBox(0, 2), 2);
        EventStream events = driver.events(256);
        tick(ASLEEP_TICK);
        String floor = BodyId.toString(simulation.idOf(low)) + " with what has no pose";
        String pair = BodyId.toString(simulation.idOf(low)) + " with " + BodyId.toString(simulation.idOf(high));
        assertThat(open(contacts(events))).as("asleep too").containsExactlyInAnyOrder(floor, pair);
        command(() -> game.setVelocity(high, 0, 5));
        tick(10);
        assertThat(contacts(events)).anyMatch(event -> event.contains("CONTACT_ENDED " + pair));
    }

    @Test
    void aContactSaysWhereItBegan() {
        B low = attach(game.addBox(0, 0.5), 1);
        attach(game.addBox(0, 1.8), 2);
        EventStream events = driver.events(256);
        List<Float> seen = new ArrayList<>();
        for (int tick = 0; tick < 100 && seen.isEmpty(); tick++) {
            tick(1);
            events.drain(event -> {
                if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN && event.other() != BodyEvent.NO_BODY) {
                    assertThat(event.body()).isEqualTo(simulation.idOf(low));
                    assertThat(event.ny()).as("from the lower to the upper").isCloseTo(1, within(0.05f));
                    assertThat(event.y()).isCloseTo(1, within(0.1f));
                    assertThat(event.x()).isBetween(-0.6f, 0.6f);
                    seen.add(event.y());
                }
            });
        }
        assertThat(seen).hasSize(1);
    }

    @Test
    void aContactEndsWithTheBodyAndThatInItsSlotBeginsItsOwn() throws Exception {
        Spawned<B> first = spawn(0, 0.6, 1);
        EventStream events = driver.events(256);
        tick(30);
        assertThat(contacts(events)).hasSize(1).first().asString().contains("CONTACT_BEGAN 0#1 with what has no pose");
        B gone = first.answer().get().value();
        command(() -> removeDetached(gone));
        tick(1);
        assertThat(contacts(events)).hasSize(1).first().asString().contains("CONTACT_ENDED 0#1 with what has no pose");
        tick(3);
        spawn(0, 0.6, 2);
        tick(30);
        assertThat(contacts(events)).hasSize(1).first().asString().contains("CONTACT_BEGAN 0#3 with what has no pose");
    }

    /** For the others it counts as something without a pose from then on. */
    @Test
    void aContactWithABodyThatIsDetachedButStaysEnds() {
        B low = attach(game.addBox(0, 0.5), 1);
        B high = attach(game.addBox(0, 1.5), 2);
        EventStream events = driver.events(256);
        tick(20);
        String pair = BodyId.toString(simulation.idOf(low)) + " with " + BodyId.toString(simulation.idOf(high));
        String rest = BodyId.toString(simulation.idOf(high)) + " with what has no pose";
        assertThat(open(contacts(events))).contains(pair);
        simulation.detach(low);
        command(() -> game.setVelocity(high, 0.01, 0)); // awake: an engine may say nothing of what sleeps
        tick(1);
        assertThat(contacts(events))
                .anyMatch(event -> event.contains("CONTACT_ENDED " + pair))
                .anyMatch(event -> event.contains("CONTACT_BEGAN " + rest));
    }

    @Test
    void aQuerySeesTheWorldAfterItsTick() throws Exception {
        B box = attach(game.addBox(0, 6), 1);
        tick(3);
        for (int tick = 4; tick < 30; tick++) {
            CompletableFuture<Answer<OptionalDouble>> height = driver.query(now -> game.heightBelow(0, 8));
            tick(1);
            assertThat(height.get().tick()).isEqualTo(tick);
            assertThat(height.get().value().orElseThrow()).isCloseTo(shownY(box) + 0.5, within(1e-3));
        }
    }

    @Test
    void aPlatformThatTheGameMovesIsShownWhereItWasToldToBeAndCarriesWhatLiesOnIt() {
        B platform = attach(game.addPlatform(0, 0.5), 1);
        B box = attach(game.addBox(0, 1.25), 2);
        tick(50);
        double start = game.pose(box)[0];
        for (int tick = 1; tick <= 200; tick++) {
            double x = 0.01 * tick;
            command(() -> game.movePlatform(platform, x, 0.5, DT_SECONDS));
            tick(1);
            assertShown(platform);
            int slot = BodyId.slot(simulation.idOf(platform));
            assertThat(newest().poses().blockOf(slot).px[slot & PoseBlock.MASK]).isCloseTo((float) x, within(1e-4f));
        }
        assertThat(game.pose(box)[0] - start).isBetween(1.5, 2.1);
        assertThat(game.pose(box)[1]).isCloseTo(1.25, within(0.05));
    }

    @Test
    void whatACommandDoesActsInItsTickAsIfItWereDoneByHand() {
        try (GameWorld<W, B> twin = createGame()) {
            List<B> boxes = new ArrayList<>();
            List<B> twins = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                boxes.add(attach(game.addBox(0.3 * (i % 3), 0.7 + 1.1 * i), i));
                twins.add(twin.addBox(0.3 * (i % 3), 0.7 + 1.1 * i));
            }
            for (int tick = 1; tick <= 300; tick++) {
                if (tick % 40 == 0) {
                    int pushed = tick / 40;
                    command(() -> game.setVelocity(boxes.get(pushed), 4, 2));
                    twin.setVelocity(twins.get(pushed), 4, 2);
                }
                tick(1);
                twin.step(DT_SECONDS);
                for (int i = 0; i < boxes.size(); i++) {
                    assertThat(game.state(boxes.get(i)))
                            .as("box %s in tick %s", i, tick)
                            .isEqualTo(twin.state(twins.get(i)));
                }
            }
        }
    }

    @Test
    void theHashIsThatOfTheStatesOfTheAttachedBodies() {
        try (GameWorld<W, B> other = createGame();
                WorldSimulation<W, B> twin = wrap(other)) {
            B box = attach(game.addBox(0, 3), 1);
            B same = other.addBox(0, 3);
            twin.attach(same, 9);
            game.addBox(5, 5);
            tick(1);
            other.step(DT_SECONDS);
            assertThat(simulation.hash()).isEqualTo(twin.hash());
            game.setVelocity(box, 1, 0);
            assertThat(simulation.hash()).isNotEqualTo(twin.hash());
            other.setVelocity(same, 1, 0);
            assertThat(simulation.hash()).isEqualTo(twin.hash());
            game.place(box, 4, 4);
            assertThat(simulation.hash()).isNotEqualTo(twin.hash());
        }
    }

    @Test
    void whoeverTouchesABodyBetweenTwoTicksIsFoundOut() {
        B box = watched();
        tick(3);
        game.setVelocity(box, 0, 1);
        assertTouchIsFound();
    }

    @Test
    void whoeverMovesABodyBetweenTwoTicksIsFoundOutThoughItSleeps() {
        B box = watched();
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        game.place(box, 1, 4);
        assertTouchIsFound();
    }

    @Test
    void whatCommandsDoIsNoTouchFromOutside() throws Exception {
        B box = watched();
        for (int tick = 0; tick < 30; tick++) {
            command(() -> game.setVelocity(box, 0, 1));
            Spawned<B> crate = spawn(3, 4, 2);
            tick(1);
            B spawned = crate.answer().get().value();
            command(() -> removeDetached(spawned));
            given.add(driver.query(now -> game.heightBelow(0, 20)));
            tick(1);
        }
        driver.pause();
        tick(1);
        for (int look = 0; look < 3; look++) { // while time stands still, commands run and tick no more
            command(() -> game.setVelocity(box, 0, 2));
            assertThat(driver.runDueTicks()).isZero();
        }
        driver.resume();
        driver.runDueTicks();
        tick(2);
        assertThat(newest().bodies().count()).isEqualTo(1);
    }

    @Test
    void aBodyThatIsRemovedWhileItIsAttachedFailsTheTickAndIsNamed() {
        B box = attach(game.addBox(0, 5), 42);
        tick(3);
        game.remove(box);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("body 0#1 (user's number 42) was removed from")
                .withMessageContaining("detach(body)");
    }

    @Test
    void aWorldHasOneSimulationAtATime() {
        assertThatIllegalStateException()
                .isThrownBy(() -> wrap(game))
                .withMessageContaining("another simulation ticks")
                .withMessageContaining("close that one first");
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        driver.close();
        try (WorldSimulation<W, B> next = wrap(game)) {
            next.attach(box, 2);
            assertThatIllegalStateException()
                    .isThrownBy(() -> simulation.attach(box, 3))
                    .withMessageContaining("was closed");
        }
        wrap(game).close();
    }

    @Test
    void closingFreesNothingOfTheWorld() {
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        simulation.close();
        simulation.close();
        double height = game.pose(box)[1];
        for (int step = 0; step < 200; step++) {
            game.step(DT_SECONDS);
        }
        assertThat(game.pose(box)[1]).isLessThan(height).isCloseTo(0.5, within(0.05));
        assertThat(simulation.world()).isSameAs(game.world());
        game.remove(box);
    }

    @Test
    void aStepThatFailsGivesTheWorldBackSoThatAnotherSimulationGoesOn() {
        B box = attach(game.addBox(0, 5), 1);
        tick(3);
        game.breakSteps();
        clock.advance(TICK_NANOS);
        RuntimeException failure = null;
        try {
            driver.runDueTicks();
        } catch (RuntimeException thrown) {
            failure = thrown;
        }
        assertThat(failure).isNotNull();
        game.mendSteps();
        double height = game.pose(box)[1];
        try (InlineDriver next =
                PhysicsService.builder(attachedIn(wrap(game), box)).inline(clock)) {
            clock.advance(5 * TICK_NANOS);
            assertThat(next.runDueTicks()).isEqualTo(5);
            assertThat(game.pose(box)[1]).isLessThan(height);
        }
    }

    @Test
    void aSpawnThatCleansUpAndFailsLeavesNothingBehind() {
        attach(game.addBox(0, 5), 1);
        tick(3);
        Spawned<B> failed = driver.spawn((tick, id) -> {
            B box = game.addBox(3, 5);
            simulation.attach(id, box, 2);
            removeDetached(box);
            throw new IllegalStateException("no such crate");
        });
        tick(3);
        assertThat(failed.answer()).isCompletedExceptionally();
        assertThat(newest().bodies().count()).isEqualTo(1);
    }

    @Test
    void anIdThatWasReservedGoesToOneBodyEvenIfAnotherHadItForAMoment() {
        Spawned<B> spawned = driver.spawn((tick, id) -> {
            B first = game.addBox(0, 5);
            simulation.attach(id, first, 1);
            removeDetached(first);
            B second = game.addBox(3, 5);
            simulation.attach(id, second, 2);
            B third = game.addBox(6, 5);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> simulation.attach(id, third, 3))
                    .withMessageContaining("has that id already");
            return second;
        });
        tick(3);
        assertShown(spawned.answer().join().value());
        assertThat(newest().bodies().exists(spawned.id())).isTrue();
        assertThat(newest().bodies().count()).isEqualTo(1);
    }

    @Test
    void aNewBodyInAnOldSlotTouchesWhatItTouchesThoughNobodyListenedBefore() {
        B resting = attach(game.addBox(0, 0.5), 1);
        B gone = attach(game.addBox(10, 0.5), 2);
        tick(10);
        removeDetached(gone);
        tick(10);
        EventStream events = driver.events(64);
        command(() -> attach(game.addBox(10, 0.6), 3));
        tick(60);
        assertThat(contacts(events)).anyMatch(event -> event.contains("CONTACT_BEGAN 1#3"));
        assertThat(BodyId.slot(simulation.idOf(resting))).isZero();
    }

    @Test
    void aTouchWatchDoesNotMindABodyThatWasJustAttached() {
        watched();
        tick(3);
        attach(game.addBox(3, 5), 18); // by the thread that ticks, between two ticks
        tick(3);
        assertThat(newest().bodies().count()).isEqualTo(2);
    }

    @Test
    void aTouchWatchOfOneSimulationDoesNotLookWhileAnotherThreadTicks() throws Exception {
        B box = watched();
        tick(3);
        game.place(box, 0, 9);
        Thread other = new Thread(simulation::requireUntouched);
        other.start();
        other.join();
        assertTouchIsFound(); // nobody has looked yet
    }

    @Test
    void nobodyElseClosesWhatIsTicked() throws Exception {
        attach(game.addBox(0, 5), 1);
        tick(3);
        List<Throwable> thrown = new ArrayList<>();
        Thread other = new Thread(() -> {
            try {
                simulation.close();
            } catch (IllegalStateException e) {
                thrown.add(e);
            }
        });
        other.start();
        other.join();
        assertThat(thrown).singleElement().satisfies(e -> assertThat(e).hasMessageContaining("still ticks"));
        tick(3);
    }

    private static <W, B> WorldSimulation<W, B> attachedIn(WorldSimulation<W, B> simulation, B body) {
        simulation.attach(body, 1);
        return simulation;
    }

    private void assertTouchIsFound() {
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("body 0#1 (user's number 17) was changed between two ticks")
                .withMessageContaining("physics.command");
    }

    /** A driver that looks for touches, and one box. */
    private B watched() {
        driver.close();
        simulation = wrap(game);
        driver = PhysicsService.builder(simulation)
                .source(simulation.touchWatch())
                .inline(clock);
        reader = driver.newReader();
        return attach(game.addBox(0, 0.6), 17);
    }

    private B attach(B box, long userNumber) {
        simulation.attach(box, userNumber);
        return box;
    }

    private Spawned<B> spawn(double x, double y, long userNumber) {
        return driver.spawn((tick, id) -> {
            B box = game.addBox(x, y);
            simulation.attach(id, box, userNumber);
            return box;
        });
    }

    private B attachedLast() {
        return simulation.attached(simulation.attachedCount() - 1);
    }

    private void removeDetached(B body) {
        simulation.detach(body);
        game.remove(body);
    }

    private void command(Runnable command) {
        given.add(driver.command(tick -> {
            command.run();
            return tick;
        }));
    }

    private void tick(int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(ticks);
        given.forEach(CompletableFuture::join);
        given.clear();
    }

    private Snapshot newest() {
        reader.acquire();
        return reader.window().newest();
    }

    private float shownY(B body) {
        int slot = BodyId.slot(simulation.idOf(body));
        return newest().poses().blockOf(slot).py[slot & PoseBlock.MASK];
    }

    /** Positions bit for bit; of a rotation the sign is the writer's, and the length. */
    private void assertShown(B body) {
        long id = simulation.idOf(body);
        Snapshot shown = newest();
        assertThat(shown.bodies().exists(id)).as(BodyId.toString(id)).isTrue();
        PoseBlock poses = shown.poses().blockOf(BodyId.slot(id));
        int at = BodyId.slot(id) & PoseBlock.MASK;
        double[] pose = game.pose(body);
        assertThat(new float[] {poses.px[at], poses.py[at], poses.pz[at]})
                .isEqualTo(new float[] {(float) pose[0], (float) pose[1], (float) pose[2]});
        double dot = poses.qx[at] * pose[3] + poses.qy[at] * pose[4] + poses.qz[at] * pose[5] + poses.qw[at] * pose[6];
        double sign = Math.signum(dot);
        double[] rotation = {poses.qx[at], poses.qy[at], poses.qz[at], poses.qw[at]};
        for (int i = 0; i < 4; i++) {
            assertThat(sign * rotation[i]).isCloseTo(pose[3 + i], within(1e-6));
        }
    }

    private static List<String> contacts(EventStream events) {
        List<String> told = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN || event.kind() == BodyEvent.Kind.CONTACT_ENDED) {
                told.add(event.toString());
            }
        });
        return told;
    }

    /** The pairs that began and have not ended; each begins and ends in turn. */
    private static List<String> open(List<String> told) {
        List<String> open = new ArrayList<>();
        for (String event : told) {
            String pair = event.replaceAll("^.*CONTACT_(BEGAN|ENDED) ", "").replaceAll("( at .*)?]$", "");
            if (event.contains("CONTACT_BEGAN")) {
                assertThat(open).doesNotContain(pair);
                open.add(pair);
            } else {
                assertThat(open.remove(pair)).as(event).isTrue();
            }
        }
        return open;
    }
}
