package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every {@code WorldSimulation} for teleported bodies, announced or not. Runs on one thread. A test per engine extends this
 * class.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
public abstract class ExistingWorldJumpsContract<W, B> extends ExistingWorldFixture<W, B> {

    @Test
    void anUnannouncedTeleportLeavesNoStreak() {
        B box = attach(game.addBox(0, 30), 1);
        tick(50);
        command(() -> game.place(box, 4, 40));
        tick(1);
        assertShown(box);
        assertThat(breaks()).containsExactly(MotionBreaks.Kind.BROKEN);
        assertThat(teleports(box)).isEqualTo(1);
        tick(20);
        assertThat(breaks()).isEmpty();
        command(() -> game.place(box, -4, 40)); // the box moved before this jump
        tick(1);
        assertThat(breaks()).containsExactly(MotionBreaks.Kind.BROKEN);
        assertThat(foundJumps()).isEqualTo(2);
        assertThat(teleports(box)).isEqualTo(2);
    }

    /** The game places a platform in each tick, so engines know no velocity of it. Only its start may look like a jump. */
    @Test
    void anEvenMotionWithoutVelocityIsNoJump() {
        B platform = attach(game.addPlatform(0, 20), 1);
        tick(3);
        for (int tick = 1; tick <= 100; tick++) {
            double x = 0.8 * tick;
            command(() -> game.place(platform, x, 20));
            tick(1);
            assertThat(breaks()).hasSize(tick == 1 ? 1 : 0);
        }
        tick(1);
        assertThat(breaks()).as("it stops").isEmpty();
        assertThat(foundJumps()).isEqualTo(1);
    }

    /** The body goes back by 1.2 m in the tick that stops it, which a bounce can explain. A bounce cannot explain 3 m. */
    @ParameterizedTest
    @ValueSource(doubles = {1.2, 3})
    void aBodyMayBounceAndStopInTheSameTick(double metresBack) {
        B bullet = attach(game.addBox(-10, 60), 1);
        game.setVelocity(bullet, 150, 0);
        tick(5);
        command(() -> {
            double[] pose = game.pose(bullet);
            game.place(bullet, pose[0] - metresBack, pose[1]);
            game.setVelocity(bullet, 0, 0);
        });
        tick(1);
        assertThat(foundJumps()).isEqualTo(metresBack > 2 ? 1 : 0);
    }

    @Test
    void aReattachedBodyIsAnotherAndNotBlended() {
        B box = attach(game.addBox(0, 30), 1);
        tick(3);
        long id = simulation.idOf(box);
        command(() -> {
            simulation.detach(box);
            game.place(box, 4, 30);
            simulation.attach(box, 1);
        });
        tick(1);
        assertShown(box);
        assertThat(simulation.idOf(box)).isNotEqualTo(id);
        assertThat(newest().bodies().exists(id)).isFalse();
        assertThat(newest().bodies().count()).isEqualTo(1);
        assertThat(breaks()).isNotEmpty().containsOnly(MotionBreaks.Kind.BROKEN);
        tick(1);
        assertThat(breaks()).isEmpty();
        assertThat(foundJumps()).isZero();
    }

    @Test
    void aWorldThatIsPutBackHasNotJumped() {
        B box = attach(game.addBox(0, 30), 1);
        tick(5);
        command(() -> {
            game.place(box, 3, 35);
            simulation.worldRestored();
        });
        tick(20);
        assertThat(foundJumps()).isZero();
    }

    /** Bullets are fired, hit other bodies, and vanish; a pile is hit, and other bodies fall and bounce. */
    @Test
    void aPileUnderFireHasNoJumps() {
        SplittableRandom random = new SplittableRandom(7);
        List<B> pile = new ArrayList<>();
        Deque<B> bullets = new ArrayDeque<>();
        for (int i = 0; i < 10; i++) {
            pile.add(attach(game.addBox(1.1 * (i % 5) - 2, 0.6 + 1.1 * Math.floorDiv(i, 5)), i));
        }
        for (int tick = 1; tick <= 1000; tick++) {
            if (tick % 10 == 0) {
                double y = random.nextDouble(1, 12);
                double vx = random.nextDouble(100, 300);
                double vy = random.nextDouble(-100, 20);
                command(() -> {
                    B bullet = attach(game.addBox(-15, y), 200);
                    game.setVelocity(bullet, vx, vy);
                    bullets.add(bullet);
                    if (bullets.size() > 4) {
                        removeDetached(bullets.remove());
                    }
                });
            }
            if (tick % 150 == 0) { // fast from one tick to the next
                B thrown = pile.get(random.nextInt(pile.size()));
                double vy = random.nextDouble(30, 100);
                command(() -> game.setVelocity(thrown, 0, vy));
            }
            tick(1);
            assertThat(foundJumps()).as("tick %d", tick).isZero();
        }
    }

    private int teleports(B body) {
        return newest().bodies().teleports(BodyId.slot(simulation.idOf(body)));
    }

    private List<MotionBreaks.Kind> breaks() {
        MotionBreaks breaks = newest().motion(0).breaks();
        return IntStream.range(0, breaks.count()).mapToObj(breaks::kind).toList();
    }
}
