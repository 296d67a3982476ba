package dev.escapement.physics.physx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickDriver;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.state.ChildJvm;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.time.TickRate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import physx.PxTopLevelFunctions;
import physx.extensions.PxRigidBodyExt;
import physx.geometry.PxBoxGeometry;
import physx.physics.PxActorFlagEnum;
import physx.physics.PxArticulationLink;
import physx.physics.PxArticulationReducedCoordinate;
import physx.physics.PxContactPair;
import physx.physics.PxContactPairHeader;
import physx.physics.PxRigidActor;
import physx.physics.PxRigidDynamic;
import physx.physics.PxScene;
import physx.physics.PxSimulationEventCallbackImpl;

class PhysxWorldSimulationTest extends ExistingWorldFixture<PxScene, PxRigidActor>
        implements PhysxContractsTest.Worlds {

    @Test
    void shouldShowLinksOfArticulationsAndDragThem() {
        PxArticulationReducedCoordinate articulation = PhysxGame.physics().createArticulationReducedCoordinate();
        PxArticulationLink link = articulation.createLink(null, PhysxGame.at(3, 5));
        PhysxGame.addShape(link, new PxBoxGeometry(0.5f, 0.5f, 0.5f));
        PxRigidBodyExt.setMassAndUpdateInertia(link, 5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> simulation.attach(link, 1))
                .withMessageContaining("add it to the world first");
        game.world().addArticulation(articulation);
        simulation.attach(link, 1);
        tick(3);
        assertThat(height(0)).isEqualTo((float) game.pose(link)[1]).isLessThan(5);
        DragInput.hold(driver.input(), clock.nanoTime(), simulation.idOf(link));
        DragInput.to(driver.input(), clock.nanoTime(), 6, 8, 0);
        tick(300);
        assertThat(game.pose(link)[0]).isCloseTo(6, within(0.1));
        assertThat(height(0)).isEqualTo((float) game.pose(link)[1]).isCloseTo(8, within(0.3f));
        assertThat(simulation.shape(simulation.idOf(link))).isNotNull();
        game.world().removeArticulation(articulation);
        articulation.release();
        assertThatTicksFail("(user data 1) was removed from");
    }

    /** Neither moving nor sleeping bodies jump, and the game's commands are measured from the scene's new origin. */
    @Test
    void shouldShiftTheOriginWithoutAJumpInThePicture() {
        PxRigidDynamic sleeper = (PxRigidDynamic) game.addBox(0, 0.5);
        PxRigidDynamic moving = (PxRigidDynamic) game.addBox(8000, 100);
        PxRigidDynamic held = (PxRigidDynamic) game.addBox(8020, 110);
        List.of(moving, held).forEach(body -> body.setActorFlag(PxActorFlagEnum.eDISABLE_GRAVITY, true));
        List.of(sleeper, moving, held).forEach(body -> simulation.attach(body, 1));
        tick(300);
        assertThat(sleeper.isSleeping()).isTrue();
        game.setVelocity(moving, 10, 0);
        tick(1);
        double before = newestX(1);
        for (int shift = 0; shift < 4; shift++) {
            ((PhysxWorldSimulation) simulation).shiftOrigin(4096, 0, 0);
            for (int tick = 0; tick < 5; tick++) {
                tick(1);
                double x = newestX(1);
                assertThat(x - before).isCloseTo(0.1, within(2e-3));
                before = x;
                assertThat(newestX(0)).isCloseTo(0, within(2e-3));
            }
            assertThat(sleeper.isSleeping()).isTrue();
        }
        assertThat(newest().originX()).isEqualTo(4 * 4096);
        assertThat(game.pose(moving)[0]).isCloseTo(before - 4 * 4096, within(1e-3));
        assertThat(newest().motion(0).breaks().count()).isZero();
        DragInput.hold(driver.input(), clock.nanoTime(), simulation.idOf(held));
        DragInput.to(driver.input(), clock.nanoTime(), 8025, 110, 0);
        tick(300);
        assertThat(newestX(2)).isCloseTo(8025, within(0.1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ((PhysxWorldSimulation) simulation).shiftOrigin(1e30f, 0, 0))
                .withMessageContaining("1e18 m");
        tick(1);
        assertThat(newest().originX()).isEqualTo(4 * 4096);
    }

    private double newestX(int slot) {
        return newest().originX() + newest().poses().block(0).px[slot];
    }

    /** The added actor is of another kind, because an actor of the same kind would get the released address. */
    @Test
    void shouldFailTheTickOfAReplacedActor() {
        PxRigidActor box = game.addBox(0, 5);
        simulation.attach(box, 1);
        tick(1);
        game.remove(box);
        PxRigidActor rock = PhysxGame.physics().createRigidStatic(PhysxGame.at(9, 5));
        PhysxGame.addShape(rock, new PxBoxGeometry(1, 1, 1));
        game.world().addActor(rock);
        assertThatTicksFail("(user data 1) was removed from");
    }

    @Test
    void shouldFailTheTickAfterAStepOfOthers() {
        tick(1);
        game.step(0.01);
        assertThatTicksFail("other code has simulated the scene since the last tick")
                .withMessageContaining("thread '" + Thread.currentThread().getName() + "' ticks; leave that");
    }

    @Test
    void shouldFailATickWithinAStepOfOthers() {
        game.world().simulate(0.01f);
        assertThatTicksFail("has not fetched the results");
        game.world().fetchResults(true);
    }

    @Test
    void shouldPassCallsOnToTheGamesOwnCallback() {
        PhysxGame other = new PhysxGame(0);
        List<Integer> heard = new ArrayList<>();
        PxSimulationEventCallbackImpl callback = new PxSimulationEventCallbackImpl() {
            @Override
            public void onContact(PxContactPairHeader header, PxContactPair pairs, int count) {
                heard.add(count);
            }
        };
        other.world().setSimulationEventCallback(callback);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PhysxWorldSimulation(other.world()))
                .withMessageContaining("pass it here");
        try (PhysxWorldSimulation around = new PhysxWorldSimulation(other.world(), callback);
                InlineDriver ticks = PhysicsService.builder(around).inline(clock)) {
            around.attach(other.addBox(0, 0.6), 1);
            EventStream events = ticks.events(16);
            clock.advance(30 * TICK_NANOS);
            ticks.runDueTicks(Integer.MAX_VALUE);
            assertThat(heard).isNotEmpty().containsOnly(1);
            List<BodyEvent.Kind> kinds = new ArrayList<>();
            events.drain(event -> kinds.add(event.kind()));
            assertThat(kinds).containsOnlyOnce(BodyEvent.Kind.CONTACT_BEGAN);
        }
        assertThat(other.world().getSimulationEventCallback()).isEqualTo(callback);
        other.close();
    }

    private float height(int slot) {
        return newest().poses().block(0).py[slot];
    }

    private org.assertj.core.api.ThrowableAssertAlternative<IllegalStateException> assertThatTicksFail(String message) {
        clock.advance(TICK_NANOS);
        return assertThatIllegalStateException().isThrownBy(driver::runDueTicks).withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "linux amd64,   natives-linux,       linux/libPhysXJniBindings_64.so",
        "windows amd64, natives-windows,     windows/PhysXJniBindings_64.dll",
        "macos aarch64, natives-macos-arm64, macosarm/libPhysXJniBindings_64.dylib",
    })
    void eachPlatformHasItsArtifactAndItsFile(String platform, String classifier, String file) {
        NativeResource library = PhysxNatives.library(platform);
        assertThat(library.coordinates())
                .isEqualTo("de.fabmax:physx-jni:" + System.getProperty("physx.version") + ":" + classifier);
        assertThat(library.path()).isEqualTo("/de/fabmax/physxjni/" + file);
    }

    @Test
    void shouldSayWhichLibraryComputes() {
        PhysxNatives.load();
        assertThat(PxTopLevelFunctions.getPHYSICS_VERSION()).isEqualTo(0x05040100);
        assertThat(PhysxWorldSimulation.version()).contains(System.getProperty("physx.version") + ":natives-");
    }

    @Test
    void bitsDoNotDependOnTheNumberOfThreads() throws Exception {
        long hash = hashOfAPile(0, 0);
        assertThat(hashOfAPile(3, 0)).isEqualTo(hash);
        assertThat(hashOfAPile(0, 0.001)).as("pushed by a millimetre a second").isNotEqualTo(hash);
    }

    private static long hashOfAPile(int threads, double push) throws Exception {
        PhysxGame pile = new PhysxGame(threads);
        PhysxWorldSimulation piled = new PhysxWorldSimulation(pile.world());
        for (int box = 0; box < 60; box++) {
            int layer = box / 6;
            PxRigidDynamic added = pile.addBox(1.1 * (box % 6) + 0.07 * layer, 1 + 1.2 * layer);
            piled.attach(added, box);
            if (box == 41) {
                pile.setVelocity(added, push, 0);
            }
        }
        new TickDriver(piled, TickRate.hertz(100)).step(300);
        long hash = piled.hash();
        piled.close();
        pile.close();
        return hash;
    }

    /** The binding does nothing the second time, and its classes would then fail with an error that names no cause. */
    @Test
    void eachAttemptNamesTheFirstCause(@TempDir Path folder) throws Exception {
        Files.createFile(folder.resolve("de.fabmax.physx-jni")); // where the binding creates a folder
        String output = ChildJvm.output("-Djava.io.tmpdir=" + folder, TwoAttempts.class, "");
        assertThat(output.lines()).hasSize(2);
        assertThat(output.lines().distinct())
                .singleElement()
                .asString()
                .startsWith("PhysX's native library could not be loaded from " + folder
                        + " (Failed creating native lib dir ");
    }

    static final class TwoAttempts {

        public static void main(String[] args) {
            for (int attempt = 0; attempt < 2; attempt++) {
                try {
                    PhysxNatives.load();
                } catch (IllegalStateException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }
}
