package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@code WorldSimulation} for commands, spawns and queries: each acts in its tick. Runs on one thread. A test per
 * engine extends this class.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
public abstract class ExistingWorldCommandsContract<W, B> extends ExistingWorldFixture<W, B> {

    @Test
    void commandsSpawnAndRemoveBodies() throws Exception {
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

        tick(3); // until no window has the first body
        Spawned<B> second = spawn(0, 3, 71);
        tick(1);
        assertThat(BodyId.slot(second.id())).isZero();
        assertThat(second.id()).as("another generation").isNotEqualTo(first.id());
        assertThat(newest().bodies().exists(second.id())).isTrue();
        assertThat(newest().bodies().exists(first.id())).isFalse();
        assertThat(newest().bodies().userData(0)).isEqualTo(71);
    }

    /** Saves without it exist already. */
    @Test
    void stateIsKeptOnlyBeforeTheStart() {
        Restorable score = new Restorable() {
            @Override
            public void save(StateBuffer to) {}

            @Override
            public void restore(StateBuffer from) {}
        };
        simulation.keep(score);
        tick(1);
        assertThatThrownBy(() -> simulation.keep(score))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("keep it before the start");
    }

    @Test
    void aBodyGoneBeforeItsFirstCaptureIsNeverShown() throws Exception {
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
    void aCommandActsInItsTick() {
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
                    assertThat(game.pose(boxes.get(i)))
                            .as("box %s in tick %s", i, tick)
                            .isEqualTo(twin.pose(twins.get(i)));
                }
            }
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

    private B attachedLast() {
        return simulation.attached(simulation.bodyCount() - 1);
    }
}
