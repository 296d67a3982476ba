package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.CustomContactListener;
import com.github.stephengold.joltjni.JobSystem;
import com.github.stephengold.joltjni.JobSystemThreadPool;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.enumerate.ValidateResult;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.world.BodyRestorer;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.physics.world.Part;
import dev.escapement.state.Logged;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.snapshot.BodyId;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhysicsSystemContactsTest extends ExistingWorldFixture<PhysicsSystem, Body> implements JoltContractsTest.Worlds {

    /** The number of threads that the JVM itself may start during a test. */
    private static final int FEW = 10;

    private static final long CRATE = BodyId.of(0, 1);

    private JoltGameWorld jolt() {
        return (JoltGameWorld) game;
    }

    @Test
    void theGamesListenerGoesOnHearingEverything() {
        GamesListener games = new GamesListener(ValidateResult.AcceptAllContactsForThisBodyPair);
        game.world().setContactListener(games);
        assertThat(contactsOfABoxThatFalls(jolt()::simulate))
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
        assertThat(contactsOfABoxThatFalls(jolt()::simulate)).isEmpty();
    }

    @Test
    void warnsOnceOfEventsWithoutListening() {
        simulate(jolt()::simulateWithoutContacts);
        try (Logged logged = new Logged("physics")) {
            tick(2);
            assertThat(logged.records).isEmpty();
            driver.events(64);
            tick(3);
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
                long before = threads.getTotalStartedThreadCount();
                assertThat(contactsOfABoxThatFalls(() -> {
                            JoltWorldSimulation pooled = jolt().simulateWith(pool);
                            pooled.listenToContacts();
                            return pooled;
                        }))
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
        attach(game.addBox(0, 2), 1);
        EventStream events = driver.events(64);
        byte[] before;
        do {
            before = save();
            tick(1);
        } while (contacts(events).isEmpty());
        tick(200);
        contacts(events);
        byte[] saved = before;
        command(() -> load(saved));
        tick(1);
        assertThat(contacts(events)).singleElement().asString().contains("CONTACT_BEGAN");
        assertThat(newest().bodies().teleports(0)).isOne();
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
        driver.close();
        simulation = wrap(game);
        StateHistory history = StateHistory.ofTicks(100).every(every);
        driver = PhysicsService.builder(simulation).with(history).inline(clock);
        EventStream events = driver.events(64);
        removeACrate();
        command(() -> simulation.attach(game.addBox(0, 9), 2));
        pass(paused);
        assertThat(contacts(events)).hasSize(2);
        var back = history.rewind(22);
        command(() -> {
            Body crate = Objects.requireNonNull(simulation.bodyOf(CRATE));
            if (removed) {
                removeDetached(crate);
            } else {
                game.place(crate, 5, 9);
            }
        });
        pass(paused);
        assertThat(back).isCompleted();
        driver.resume();
        driver.runDueTicks();
        tick(2);
        assertThat(contacts(events))
                .extracting(text -> text.replaceAll(".*(CONTACT_ENDED \\d#\\d).*", "$1"))
                .isEqualTo(removed ? List.of() : List.of("CONTACT_ENDED 0#1"));
    }

    /** Jolt reports no contacts of bodies that sleep. */
    @ParameterizedTest(name = "moved by {0} m, announced: {1}")
    @CsvSource({"0, false", "7, false", "0.2, true"})
    void aSleeperOfAPauseKeepsItsContactsUnlessMoved(double metres, boolean isAnnounced) {
        Body box = attach(game.addBox(0, 0.52), 1);
        EventStream events = standing(20);
        commandInAPause(() -> {
            game.place(box, 0, 0.52 + metres);
            jolt().bodyInterface().deactivateBody(box.getId());
            if (isAnnounced) {
                simulation.teleported(box);
            }
        });
        tick(10);
        assertThat(contacts(events)).hasSize(metres == 0 ? 0 : 1);
    }

    /** The saved state has a contact of a part that was detached since. */
    @Test
    void aLoadEndsNoContactOfAPartThatIsGone() {
        Part part = simulation.attachPart(JoltPartsTest.of(game.addBox(0, 0.52)), 1);
        EventStream events = standing(20);
        byte[] saved = save();
        part.detach();
        tick(1);
        assertThat(contacts(events)).hasSize(1);
        command(() -> load(saved));
        tick(2);
        assertThat(contacts(events)).isEmpty();
    }

    @Test
    void aLoadInAPauseKeepsContactsOfMovedSleepers() {
        Body box = attach(game.addBox(0, 0.52), 1);
        EventStream events = standing(200);
        assertThat(game.isAsleep(box)).isTrue();
        byte[] saved = save();
        commandInAPause(() -> game.place(box, 5, 9), () -> load(saved));
        tick(10);
        assertThat(contacts(events)).isEmpty();
    }

    /** The body of the part touches with the same shapes as the crate whose slot the part gets. */
    @Test
    void aPartInAReusedSlotTellsWhereItTouches() {
        Body crate = attach(game.addBox(0, 0.52), 1);
        EventStream events = standing(20);
        commandInAPause(
                () -> removeDetached(crate), () -> simulation.attachPart(JoltPartsTest.of(game.addBox(0, 0.52)), 2));
        tick(1);
        assertThat(contacts(events)).hasSize(2).last().asString().contains("CONTACT_BEGAN 0#3", "closing at");
    }

    /** Attaches a crate that a rewind can bring back, and removes it when it stands on the floor. */
    private void removeACrate() {
        ((JoltWorldSimulation) simulation).restoreBodiesWith(new BodyRestorer<>() {
            @Override
            public Body restore(long engineId, long userData) {
                return game.addBox(0, 90);
            }

            @Override
            public void remove(Body body, long userData) {
                game.remove(body);
            }
        });
        Body crate = attach(game.addBox(0, 0.52), 1);
        tick(30);
        command(() -> removeDetached(crate));
        tick(1);
    }

    /** Lets a body fall on the floor, and subscribes to its events. */
    private EventStream standing(int ticks) {
        EventStream events = driver.events(64);
        tick(ticks);
        assertThat(contacts(events)).singleElement().asString().contains("CONTACT_BEGAN 0#1");
        return events;
    }

    private byte[] save() {
        StateBuffer saved = new StateBuffer();
        ((JoltWorldSimulation) simulation).save(saved);
        return saved.toBytes();
    }

    private void load(byte[] saved) {
        ((JoltWorldSimulation) simulation).restore(new StateBuffer(saved));
    }

    private void pass(boolean paused) {
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
        tick(3);
        assertThat(game.world().getContactListener()).isNull();
        driver.events(64);
        tick(1);
        assertThat(game.world().getContactListener()).isInstanceOf(JoltContacts.class);
    }

    /** Jolt gives the memory and the index of a destroyed body to the next body at once. */
    @Test
    void aBodyInReusedMemoryIsAnother() {
        Body box = attach(game.addBox(0, 3), 42);
        tick(2);
        long address = box.va();
        game.remove(box);
        assertThat(game.addBox(5, 3).va()).isEqualTo(address);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("(user data 42) was removed from");
    }

    private void simulate(Supplier<JoltWorldSimulation> other) {
        driver.close(); // a world has one simulation at a time
        simulation = other.get();
        driver = PhysicsService.builder(simulation).inline(clock);
    }

    private List<String> contactsOfABoxThatFalls(Supplier<JoltWorldSimulation> of) {
        simulate(of);
        EventStream events = driver.events(64);
        Body box = attach(game.addBox(0, 0.6), 1);
        tick(30);
        removeDetached(box);
        driver.close();
        return contacts(events);
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
