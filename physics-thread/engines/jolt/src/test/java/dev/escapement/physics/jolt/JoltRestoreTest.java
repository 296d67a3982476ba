package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.HingeConstraintSettings;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickDriver;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.world.BodyRestorer;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JoltRestoreTest {

    private static final TickRate RATE = TickRate.hertz(100);

    private final List<BoxGame> games = new ArrayList<>();
    private final ManualClock clock = new ManualClock(0);

    private BoxGame newGame(boolean keeps) {
        games.add(new BoxGame(keeps));
        return games.get(games.size() - 1);
    }

    @AfterEach
    void close() {
        games.forEach(BoxGame::close);
    }

    /**
     * The ticks after a restore are the same as before. The states have different bodies, and are restored in any order, in the same world
     * and in new worlds.
     */
    @ParameterizedTest(name = "bodies are kept: {0}")
    @ValueSource(booleans = {true, false})
    void theSameTicksFollowAStateOfOtherBodies(boolean keeps) throws Exception {
        BoxGame game = newGame(keeps);
        game.simulation.restoreBodiesWith(game);
        List<StateBuffer> states = new ArrayList<>();
        List<String> shown = new ArrayList<>();
        InlineDriver driver = PhysicsService.builder(game.simulation).inline(clock);
        SnapshotReader reader = driver.newReader();
        for (int tick = 0; tick < 100; tick++) {
            states.add(saved(game));
            shown.add(tick(game, driver, reader, tick));
        }
        for (int from : new int[] {95, 40, 41, 10, 60, 3}) {
            for (StateBuffer state : List.of(states.get(20), states.get(from))) { // a restore right after another one
                state.rewind();
                game.simulation.restore(state);
            }
            for (int tick = from; tick < Math.min(from + 30, 100); tick++) {
                assertThat(tick(game, driver, reader, tick))
                        .as("tick %s after tick %s was restored", tick, from)
                        .isEqualTo(shown.get(tick));
            }
        }
        for (int from : new int[] {99, 55, 35, 0}) {
            BoxGame other = newGame(keeps);
            other.simulation.restoreBodiesWith(other);
            states.get(from).rewind();
            other.simulation.restore(states.get(from));
            InlineDriver others = PhysicsService.builder(other.simulation).inline(clock);
            SnapshotReader another = others.newReader();
            for (int tick = from; tick < 100; tick++) {
                assertThat(tick(other, others, another, tick))
                        .as("tick %s in a new world after tick %s", tick, from)
                        .isSubstringOf(shown.get(tick))
                        .hasSizeGreaterThan(tick > from + 2 ? 50 : 0);
            }
        }
    }

    private static StateBuffer saved(BoxGame game) {
        StateBuffer saved = new StateBuffer();
        game.simulation.save(saved);
        return saved;
    }

    /** Runs a tick. Returns its hash, and the ids and user data of the bodies that readers see. */
    private String tick(BoxGame game, InlineDriver driver, SnapshotReader reader, int tick) {
        if (tick % 7 == 3 || tick % 7 == 5) { // a box goes and comes, or comes and goes
            game.change(tick % 7 == 5);
            game.change(tick % 7 == 3);
        }
        if (tick % 10 == 9) {
            game.change(tick % 40 < 20);
        }
        clock.advance(10_000_000);
        driver.runDueTicks();
        String hash = Long.toHexString(game.simulation.hash());
        if (!reader.acquire()) {
            return hash; // there is no window yet
        }
        Bodies bodies = reader.window().newest().bodies();
        return hash
                + IntStream.range(0, bodies.slotCount())
                        .filter(bodies::exists)
                        .mapToObj(slot -> BodyId.toString(bodies.id(slot)) + "=" + bodies.userData(slot))
                        .toList()
                + " in Jolt "
                + game.boxes.stream().map(Body::getId).sorted().toList();
    }

    @Test
    void aBodyThatIsPutBackAsAnotherIsRefused() {
        BoxGame game = newGame(true);
        game.simulation.restoreBodiesWith(new BodyRestorer<>() {
            @Override
            public Body restore(long engineId, long userData) {
                return game.world.addBox(0, 90);
            }

            @Override
            public void remove(Body body, long userData) {
                throw new AssertionError("none came");
            }
        });
        StateBuffer saved = saved(game);
        int gone = game.boxes.get(BoxGame.BOXES - 1).getId();
        game.change(false);
        saved.rewind();
        assertThatIllegalStateException()
                .isThrownBy(() -> game.simulation.restore(saved))
                .withMessageContaining("the body with user data " + (BoxGame.BOXES - 1) + " was put back as ")
                .withMessageContaining("but was " + gone + " by the engine's ids");
    }

    @Test
    void aSeekOverANewBodyIsRefused() {
        BoxGame game = newGame(true);
        StateHistory history = StateHistory.ofTicks(100);
        try (InlineDriver driver =
                PhysicsService.builder(game.simulation).with(history).inline(clock)) {
            run(driver, 5);
            assertThat(driver.command(BoxGame.Change.TYPE, new BoxGame.Change(true)))
                    .isNotNull();
            run(driver, 5);
            var back = history.rewind(3);
            run(driver, 1);
            assertThatThrownBy(back::join)
                    .hasRootCauseMessage(
                            "Refused, and nothing was changed: since the state was saved, 1 bodies were attached and 0"
                                    + " detached. If that may be, call restoreBodiesWith(...)");
            var here = history.rewind(8);
            run(driver, 1);
            assertThat(here).isCompleted();
        }
    }

    private void run(InlineDriver driver, int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(RATE.nanosAt(1));
            assertThat(driver.runDueTicks()).isOne();
        }
    }

    /** A state with other constraints is refused, even if the order of the attached bodies has changed as well. */
    @Test
    void aStateOfOtherConstraintsIsRefused() throws Exception {
        BoxGame game = newGame(true);
        StateBuffer saved = saved(game);
        game.simulation.detach(game.boxes.get(0));
        game.simulation.attach(game.boxes.get(0), 0);
        HingeConstraintSettings hinge = new HingeConstraintSettings(); // owns nothing in the oldest versions
        game.simulation.world().addConstraint(hinge.create(game.boxes.get(0), game.boxes.get(1)));
        saved.rewind();
        assertThatThrownBy(() -> game.simulation.restore(saved))
                .isInstanceOf(RestoreRefusedException.class)
                .hasMessageContaining(" has 1 constraints, but had 0 when the state was saved");
    }

    @Test
    void whatJoltDoesNotSaveStaysAsTheGameHasSetIt() {
        BoxGame game = newGame(true);
        Body box = game.boxes.get(0);
        StateBuffer saved = saved(game);
        BodyInterface bodies = game.world.bodyInterface();
        bodies.setShape(box.getId(), new BoxShape(0.3f), false, EActivation.Activate);
        bodies.setFriction(box.getId(), 0.7f);
        bodies.setRestitution(box.getId(), 0.6f);
        bodies.setGravityFactor(box.getId(), 0.4f);
        box.getMotionProperties().setLinearDamping(0.3f);
        box.getMotionProperties().setAngularDamping(0.2f);
        bodies.setMotionType(box.getId(), EMotionType.Kinematic, EActivation.Activate);
        bodies.setLinearVelocity(box.getId(), new Vec3(0, 9, 0));
        saved.rewind();
        game.simulation.restore(saved);
        assertThat(box.getLinearVelocity().length()).isZero();
        assertThat(((BoxShape) box.getShape()).getHalfExtent().getX()).isEqualTo(0.3f);
        assertThat(List.of(box.getFriction(), box.getRestitution(), bodies.getGravityFactor(box.getId())))
                .containsExactly(0.7f, 0.6f, 0.4f);
        assertThat(box.getMotionProperties().getLinearDamping()).isEqualTo(0.3f);
        assertThat(box.getMotionProperties().getAngularDamping()).isEqualTo(0.2f);
        assertThat(box.getMotionType()).isEqualTo(EMotionType.Kinematic);
    }

    @Test
    void keptStateIsHashedSavedAndRestored() {
        long[] goals = {0};
        RestoreRefusedException late = new RestoreRefusedException("not now");
        BoxGame game = newGame(true);
        Restorable kept = new Restorable() {
            @Override
            public void save(StateBuffer to) {
                to.put(goals[0]);
            }

            @Override
            public void restore(StateBuffer from) {
                if (goals[0] == 7) {
                    throw late;
                }
                goals[0] = from.getLong();
            }
        };
        game.simulation.keep(kept);
        StateBuffer saved = saved(game);
        long hash = game.simulation.hash();
        goals[0] = 3;
        assertThat(game.simulation.hash()).isNotEqualTo(hash);
        saved.rewind();
        game.simulation.restore(saved);
        assertThat(goals[0]).isZero();
        assertThat(game.simulation.hash()).isEqualTo(hash);
        game.simulation.begin();
        assertThatIllegalStateException()
                .isThrownBy(() -> game.simulation.keep(kept))
                .withMessageContaining("keep it before the start");
        goals[0] = 7;
        saved.rewind();
        assertThatThrownBy(() -> game.simulation.restore(saved))
                .as("a failure, because the world has changed")
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasCause(late);
    }

    @Test
    void aStateOfMoreUnattachedBodiesIsRefused() throws Exception {
        BoxGame game = newGame(true);
        Body box = game.world.addBox(9, 9);
        StateBuffer saved = saved(game);
        game.world.remove(box);
        new TickDriver(game.simulation, RATE).step(5);
        byte[] before = saved(game).toBytes();
        saved.rewind();
        assertThatThrownBy(() -> game.simulation.restore(saved))
                .isInstanceOf(RestoreRefusedException.class)
                .hasMessageContaining(" bodies, but had ");
        assertThat(saved(game).toBytes()).isEqualTo(before);
    }

    /** The world has as many unattached bodies as the state, but another one of them. Jolt itself notices that. */
    @Test
    void aStateOfAnotherWorldIsRefused() {
        BoxGame game = newGame(true);
        Body box = game.world.addBox(9, 9);
        StateBuffer saved = saved(game);
        game.world.remove(box);
        game.world.addBox(9, 9); // another box, whose index was used once more
        saved.rewind();
        assertThatIllegalStateException()
                .isThrownBy(() -> game.simulation.restore(saved))
                .withMessageContaining("it has other bodies or constraints than when they were saved");
    }
}
