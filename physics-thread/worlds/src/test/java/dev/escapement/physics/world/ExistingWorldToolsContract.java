package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.command.Spawned;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@code WorldSimulation} for tools: the simulation reports the shapes of its bodies, and dragging works. A test per
 * engine adds its own shapes.
 */
public abstract class ExistingWorldToolsContract<W, B> extends ExistingWorldFixture<W, B> {

    @Test
    void aShapeIsReportedFromThePoseThatIsShown() {
        B low = attach(game.addBox(0, 0.8), 1);
        B high = attach(game.addBox(0.6, 2.5), 2); // topples off the lower box
        B platform = attach(game.addPlatform(10, 0.5), 3);
        tick(60);
        BodyShape box = shape(high);
        assertThat(box.kinematic()).isFalse();
        assertThat(box).as("of equal bodies").isEqualTo(shape(low));
        double[] bounds = ShapeMeasures.bounds(box.form(), 0, 0, 0, 0, 0, 0, 1);
        assertThat(bounds[0]).isEqualTo(-0.5);
        assertThat(bounds[1]).isEqualTo(-0.5);
        assertThat(bounds[3]).isEqualTo(0.5);
        assertThat(bounds[4]).isEqualTo(0.5);
        assertThat(ShapeMeasures.bounds(box.form(), game.pose(high))[4]).isGreaterThan(game.pose(high)[1] + 0.51);
        assertThat(shape(platform).kinematic()).isTrue();
        bounds = ShapeMeasures.bounds(shape(platform).form(), game.pose(platform));
        assertThat(bounds[0]).isCloseTo(6, within(1e-6));
        assertThat(bounds[4]).isCloseTo(0.75, within(1e-6));
    }

    @Test
    void whatIsGoneOrYetToComeHasNoShape() {
        B box = attach(game.addBox(0, 3), 1);
        Spawned<B> coming = spawn(5, 3, 2);
        assertThat(simulation.shape(coming.id())).isNull();
        assertThat(simulation.shape(0)).isNull();
        assertThat(simulation.shape(-1)).isNull();
        tick(2);
        assertThat(simulation.shape(coming.id())).isNotNull();
        assertThat(simulation.shape(BodyId.of(100, 1))).isNull();
        long id = simulation.idOf(box);
        assertThat(simulation.shape(id)).isNotNull();
        game.remove(box); // removed while attached, which fails the next tick, but not this call
        assertThat(simulation.shape(id)).isNull();
        simulation.detach(box);
        assertThat(simulation.shape(id)).isNull();
    }

    @Test
    void aReshapedBodyIsShownWithTheTickOfItsShape() {
        B box = attach(game.addBox(0, 0.5), 1);
        B other = attach(game.addBox(5, 0.5), 2);
        tick(ASLEEP_TICK);
        assertThat(reshapedTick(box)).as("its first shape").isZero();
        command(() -> simulation.reshaped(box));
        tick(3);
        assertThat(reshapedTick(box)).isEqualTo(ASLEEP_TICK + 1);
        assertThat(reshapedTick(other)).isZero();
    }

    private long reshapedTick(B body) {
        return newest().bodyBlock(0).reshapedTick(BodyId.slot(simulation.idOf(body)));
    }

    /** The triangles are computed by whoever needs them first. */
    @Test
    void aMeshIsReadByAnotherThreadAfterItsBodyIsGone() {
        B shaped = attach(game.addShaped(0, 5, -1, 0, 0.5, 0.5, 1, 0, 0.5, 0.5), 1);
        tick(1);
        BodyShape.Form form = shape(shaped).form();
        command(() -> removeDetached(shaped));
        tick(1);
        double[] bounds = CompletableFuture.supplyAsync(() -> ShapeMeasures.bounds(form, 0, 0, 0, 0, 0, 0, 1))
                .join();
        assertThat(bounds[0]).isCloseTo(-1.5, within(1e-5));
        assertThat(bounds[4]).isCloseTo(0.5, within(1e-5));
    }

    @Test
    void aJointIsReportedUntilABodyIsGone() {
        B upper = attach(game.addBox(0, 3), 1);
        B lower = attach(game.addBox(1.2, 3), 2);
        if (!can(Ability.JOINTS, game.join(upper, null, -0.5, 3.5))) {
            tick(1);
            assertThat(joints()).isEmpty();
            return;
        }
        game.join(lower, upper, 0.6, 3.2);
        assertThat(joints()).as("before they are seen").isEmpty();
        tick(20);
        assertThat(Math.abs(game.pose(upper)[5])).as("has turned").isGreaterThan(0.02);
        Set<String> hinge = Set.of(end(upper, 0.6, 0.2), end(lower, -0.6, 0.2));
        Set<String> hanger = Set.of(end(upper, -0.5, 0.5), end(BodyJoint.End.WORLD, -0.5, 3.5));
        assertThat(joints()).containsExactlyInAnyOrder(hinge, hanger);
        removeDetached(lower);
        assertThat(joints()).containsExactly(hanger);
        tick(1);
        simulation.detach(upper);
        assertThat(joints()).as("of bodies that nothing shows").isEmpty();
    }

    private List<Set<String>> joints() {
        return simulation
                .joints()
                .map(joint -> Set.of(end(joint.first()), end(joint.second())))
                .toList();
    }

    private String end(B body, double x, double y) {
        return end(simulation.idOf(body), x, y);
    }

    private static String end(BodyJoint.End end) {
        assertThat(end.z()).isCloseTo(0, within(0.05));
        return end(end.body(), end.x(), end.y());
    }

    /** Returns a joint end rounded to a decimetre: engines move anchors apart by some centimetres. */
    private static String end(long body, double x, double y) {
        return BodyId.toString(body) + " " + Math.round(10 * x) + " " + Math.round(10 * y);
    }

    @Test
    void aDraggedBodyFollowsAndFallsWhenReleased() {
        B box = attach(game.addBox(0, 0.5), 1);
        B other = attach(game.addBox(10, 0.5), 2);
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        hold(simulation.idOf(box), 3, 4);
        tick(300);
        assertThat(game.pose(box)[0]).isCloseTo(3, within(0.1));
        assertThat(game.pose(box)[1]).isCloseTo(4, within(0.2)); // gravity pulls as well
        assertThat(game.pose(other)[0]).isCloseTo(10, within(0.01));
        assertThat(game.isAsleep(other)).isTrue();
        assertShown(box);
        DragInput.end(driver.input(), clock.nanoTime());
        tick(300);
        assertThat(game.pose(box)[0]).isCloseTo(3, within(0.1));
        assertThat(game.pose(box)[1]).isCloseTo(0.5, within(0.05));
    }

    @Test
    void whatCannotBeDraggedStays() {
        B box = attach(game.addBox(0, 0.5), 1);
        B platform = attach(game.addPlatform(10, 0.5), 2);
        B gone = attach(game.addBox(-10, 0.5), 3);
        B wall = attach(game.addFixed(20, 5, 0, 0, 0.5, 0.5), 4);
        tick(ASLEEP_TICK);
        double[] before = game.pose(box);
        hold(BodyId.of(77, 1), 3, 4);
        tick(10);
        assertStaysThoughDragged(platform);
        assertStaysThoughDragged(wall);
        hold(simulation.idOf(gone), 3, 4);
        tick(10);
        assertThat(game.pose(gone)[1]).isGreaterThan(0.6);
        command(() -> removeDetached(gone));
        tick(10);
        assertThat(game.pose(box)).isEqualTo(before);
        assertThat(game.isAsleep(box)).isTrue();
    }

    protected final BodyShape reported(B body) {
        attach(body, 1);
        tick(1);
        return shape(body);
    }

    private BodyShape shape(B body) {
        return Objects.requireNonNull(simulation.shape(simulation.idOf(body)));
    }

    protected final void assertStaysThoughDragged(B body) {
        hold(simulation.idOf(body), 9, 9);
        double[] before = game.pose(body);
        tick(2);
        assertThat(game.pose(body)).isEqualTo(before);
    }

    private void hold(long body, float x, float y) {
        assertThat(DragInput.hold(driver.input(), clock.nanoTime(), body)).isTrue();
        assertThat(DragInput.to(driver.input(), clock.nanoTime(), x, y, 0)).isTrue();
    }
}
