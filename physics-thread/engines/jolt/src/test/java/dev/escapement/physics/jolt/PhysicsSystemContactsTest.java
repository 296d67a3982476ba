package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.CustomContactListener;
import com.github.stephengold.joltjni.JobSystem;
import com.github.stephengold.joltjni.JobSystemThreadPool;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.enumerate.ValidateResult;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.world.BodyRestorer;
import dev.escapement.physics.world.Part;
import dev.escapement.state.Logged;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhysicsSystemContactsTest {

    private static final long TICK_NANOS = 10_000_000;

    /** The number of threads that the JVM itself may start during a test. */
    private static final int FEW = 10;

    private static final long CRATE = BodyId.of(0, 1);

    private final ManualClock clock = new ManualClock(0);
    private final JoltGameWorld game = new JoltGameWorld();

    @AfterEach
    void close() {
        game.close();
    }

    @Test
    void theGamesListenerGoesOnHearingEverything() {
        GamesListener games = new GamesListener(ValidateResult.AcceptAllContactsForThisBodyPair);
        game.world().setContactListener(games);
        assertThat(contactsOfABoxThatFalls(game.simulate()))
                .hasSize(1)
                .first()
                .asString()
                .contains("CONTACT_BEGAN 0#1");
        assertThat(games.added).isPositive();
        assertThat(games.persisted).isPositive();
    }

    @Test
    void whatTheGamesListenerRejectsIsNoContact() {
        game.world().setContactListener(new GamesListener(ValidateResult.RejectAllContactsForThisBodyPair));
        assertThat(contactsOfABoxThatFalls(game.simulate())).isEmpty();
    }

    @Test
    void warnsOnceOfEventsWithoutListening() {
        JoltWorldSimulation simulation = game.simulateWithoutContacts();
        try (Logged logged = new Logged("physics");
                InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            tick(driver, 2);
            assertThat(logged.records).isEmpty();
            driver.events(64);
            tick(driver, 3);
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .isEqualTo(
                            "The events of tick 3 are wanted, but will have no contacts: call listenToContacts() of the"
                                    + " JoltWorldSimulation before the start");
        }
    }

    /**
     * For each call of a listener by a worker, the binding would make a Java thread. So a simulation that reports contacts uses no workers.
     */
    @Test
    void contactsOfAWorkerPoolMakeNoThreads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (JobSystem pool = new JobSystemThreadPool(Jolt.cMaxPhysicsJobs, Jolt.cMaxPhysicsBarriers, 1)) {
            for (int round = 0; round < 2; round++) {
                JoltWorldSimulation simulation = game.simulateWith(pool);
                simulation.listenToContacts();
                long before = threads.getTotalStartedThreadCount();
                assertThat(contactsOfABoxThatFalls(simulation))
                        .hasSize(1)
                        .first()
                        .asString()
                        .contains("CONTACT_BEGAN 0#1");
                assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(FEW);
            }
        }
    }

    /** A game loads a saved state in a command, while the world ticks. The state is that of the tick before a contact began. */
    @Test
    void aLoadWhileTimeRunsReportsContactsAndTeleports() {
        JoltWorldSimulation simulation = game.simulate();
        Body box = game.addBox(0, 2);
        simulation.attach(box, 1);
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            EventStream events = driver.events(64);
            SnapshotReader reader = driver.newReader();
            StateBuffer before;
            do {
                before = new StateBuffer();
                simulation.save(before);
                tick(driver, 1);
            } while (contacts(events).isEmpty());
            tick(driver, 200);
            contacts(events);
            StateBuffer saved = new StateBuffer(before.toBytes());
            var loaded = driver.execute(tick -> simulation.restore(saved));
            tick(driver, 1);
            assertThat(loaded).isCompleted();
            assertThat(contacts(events)).singleElement().asString().contains("CONTACT_BEGAN");
            reader.acquire();
            assertThat(reader.window().newest().bodies().teleports(0)).isOne();
        }
    }

    /**
     * A removed crate comes back by a rewind to its slot, which another body has had since. A command that is served with the rewind
     * removes it again before any capture, or moves it away.
     */
    @ParameterizedTest(name = "a state every {0} ticks, paused: {1}, removed: {2}")
    @CsvSource({
        "1, true, true",
        "1, false, true",
        "4, true, true",
        "4, false, true",
        "1, true, false",
        "1, false, false"
    })
    void aContactThatARewindBringsBackEndsUnderItsOwnName(int every, boolean paused, boolean removed) {
        JoltWorldSimulation simulation = game.simulate();
        StateHistory history = StateHistory.ofTicks(100).every(every);
        try (InlineDriver driver =
                PhysicsService.builder(simulation).with(history).inline(clock)) {
            EventStream events = driver.events(64);
            removeACrate(simulation, driver);
            execute(driver, () -> simulation.attach(game.addBox(0, 9), 2));
            pass(driver, paused);
            assertThat(contacts(events)).hasSize(2);
            var back = history.rewind(22);
            execute(driver, () -> {
                Body crate = Objects.requireNonNull(simulation.bodyOf(CRATE));
                if (removed) {
                    remove(simulation, crate);
                } else {
                    game.place(crate, 5, 9);
                }
            });
            pass(driver, paused);
            assertThat(back).isCompleted();
            resume(driver, 2);
            assertThat(contacts(events))
                    .extracting(text -> text.replaceAll(".*(CONTACT_ENDED \\d#\\d).*", "$1"))
                    .isEqualTo(removed ? List.of() : List.of("CONTACT_ENDED 0#1"));
        }
    }

    /** Jolt reports no contacts of bodies that sleep. */
    @ParameterizedTest(name = "moved by {0} m, announced: {1}")
    @CsvSource({"0, false", "7, false", "0.2, true"})
    void aSleeperOfAPauseKeepsItsContactsUnlessMoved(double metres, boolean isAnnounced) {
        JoltWorldSimulation simulation = game.simulate();
        Body box = game.addBox(0, 0.52);
        simulation.attach(box, 1);
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            EventStream events = driver.events(64);
            tick(driver, 20);
            assertThat(contacts(events)).hasSize(1);
            pass(driver, true);
            execute(driver, () -> {
                game.place(box, 0, 0.52 + metres);
                game.bodyInterface().deactivateBody(box.getId());
                if (isAnnounced) {
                    simulation.teleported(box);
                }
            });
            pass(driver, true);
            resume(driver, 10);
            assertThat(contacts(events)).hasSize(metres == 0 ? 0 : 1);
        }
    }

    /** The saved state has a contact of a part that was detached since. */
    @Test
    void aLoadEndsNoContactOfAPartThatIsGone() {
        JoltWorldSimulation simulation = game.simulate();
        Body box = game.addBox(0, 0.52);
        Part part = simulation.attachPart(JoltPartsTest.of(box), 1);
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            EventStream events = driver.events(64);
            tick(driver, 20);
            assertThat(contacts(events)).singleElement().asString().contains("CONTACT_BEGAN 0#1");
            StateBuffer saved = new StateBuffer();
            simulation.save(saved);
            part.detach();
            tick(driver, 1);
            assertThat(contacts(events)).hasSize(1);
            execute(driver, () -> simulation.restore(new StateBuffer(saved.toBytes())));
            tick(driver, 2);
            assertThat(contacts(events)).isEmpty();
        }
    }

    @Test
    void aLoadInAPauseKeepsContactsOfMovedSleepers() {
        JoltWorldSimulation simulation = game.simulate();
        Body box = game.addBox(0, 0.52);
        simulation.attach(box, 1);
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            EventStream events = driver.events(64);
            tick(driver, 200);
            assertThat(game.isAsleep(box)).isTrue();
            assertThat(contacts(events)).hasSize(1);
            StateBuffer saved = new StateBuffer();
            simulation.save(saved);
            pass(driver, true);
            execute(driver, () -> game.place(box, 5, 9));
            pass(driver, true);
            execute(driver, () -> simulation.restore(new StateBuffer(saved.toBytes())));
            pass(driver, true);
            resume(driver, 10);
            assertThat(contacts(events)).isEmpty();
        }
    }

    /** The body of the part touches with the same shapes as the crate whose slot the part gets. */
    @Test
    void aPartInAReusedSlotTellsWhereItTouches() {
        JoltWorldSimulation simulation = game.simulate();
        Body crate = game.addBox(0, 0.52);
        simulation.attach(crate, 1);
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            EventStream events = driver.events(64);
            tick(driver, 20);
            pass(driver, true);
            execute(driver, () -> remove(simulation, crate));
            pass(driver, true);
            contacts(events);
            execute(driver, () -> simulation.attachPart(JoltPartsTest.of(game.addBox(0, 0.52)), 2));
            pass(driver, true);
            resume(driver, 1);
            assertThat(contacts(events)).hasSize(2).last().asString().contains("CONTACT_BEGAN 0#3", "closing at");
        }
    }

    /** Attaches a crate that a rewind can bring back, and removes it when it stands on the floor. */
    private void removeACrate(JoltWorldSimulation simulation, InlineDriver driver) {
        simulation.restoreBodiesWith(new BodyRestorer<>() {
            @Override
            public Body restore(long engineId, long userData) {
                return game.addBox(0, 90);
            }

            @Override
            public void remove(Body body, long userData) {
                game.remove(body);
            }
        });
        simulation.attach(game.addBox(0, 0.52), 1);
        tick(driver, 30);
        execute(driver, () -> remove(simulation, Objects.requireNonNull(simulation.bodyOf(CRATE))));
        tick(driver, 1);
    }

    private void resume(InlineDriver driver, int ticks) {
        driver.resume();
        driver.runDueTicks();
        tick(driver, ticks);
    }

    private static void execute(InlineDriver driver, Runnable command) {
        assertThat(driver.execute(tick -> command.run())).isNotNull();
    }

    private void remove(JoltWorldSimulation simulation, Body body) {
        simulation.detach(body);
        game.remove(body);
    }

    private void pass(InlineDriver driver, boolean paused) {
        if (paused) {
            driver.pause();
        }
        clock.advance(TICK_NANOS);
        driver.runDueTicks(); // a pause begins with the tick
        driver.runDueTicks();
    }

    private static List<String> contacts(EventStream events) {
        List<String> reported = new ArrayList<>();
        events.drain(event -> reported.add(event.toString()));
        return reported.stream().filter(event -> event.contains("CONTACT")).toList();
    }

    @Test
    void whileNobodyWantsContactsTheListenerIsLeftAlone() {
        JoltWorldSimulation simulation = game.simulate();
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            tick(driver, 3);
            assertThat(game.world().getContactListener()).isNull();
            driver.events(64);
            tick(driver, 1);
            assertThat(game.world().getContactListener()).isInstanceOf(JoltContacts.class);
        }
    }

    /** Jolt gives the memory and the index of a destroyed body to the next body at once. */
    @Test
    void aBodyInReusedMemoryIsAnother() {
        JoltWorldSimulation simulation = game.simulate();
        InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
        Body box = game.addBox(0, 3);
        simulation.attach(box, 42);
        tick(driver, 2);
        long address = box.va();
        game.remove(box);
        assertThat(game.addBox(5, 3).va()).isEqualTo(address);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("(user data 42) was removed from");
        driver.close();
    }

    private List<String> contactsOfABoxThatFalls(JoltWorldSimulation simulation) {
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            EventStream events = driver.events(64);
            Body box = game.addBox(0, 0.6);
            simulation.attach(box, 1);
            tick(driver, 30);
            simulation.detach(box);
            game.remove(box);
            return contacts(events);
        }
    }

    private void tick(InlineDriver driver, int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(ticks);
    }

    private static final class GamesListener extends CustomContactListener {

        private final int verdict;
        int added;
        int persisted;

        @SuppressWarnings("EnumOrdinal") // the binding numbers the results by their ordinals
        GamesListener(ValidateResult verdict) {
            this.verdict = verdict.ordinal();
        }

        @Override
        public int onContactValidate(long body, long other, double x, double y, double z, long result) {
            return verdict;
        }

        @Override
        public void onContactAdded(long body, long other, long manifold, long settings) {
            added++;
        }

        @Override
        public void onContactPersisted(long body, long other, long manifold, long settings) {
            persisted++;
        }

        @Override
        public void onContactRemoved(long subShapePair) {}
    }
}
