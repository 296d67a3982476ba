package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.world.BodyShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@code WorldSimulation} for the cost of its calls: none looks at items one by one that it is not about. Each test
 * counts what searches look at in a small world, and in one ten times as large. An adapter counts its own searches, because Java code sees
 * neither the loops of a native engine nor those of final classes; what an engine searches itself is its own affair.
 */
public abstract class ExistingWorldCallsContract<W, B> extends ExistingWorldFixture<W, B> {

    private static final int FEW = 40;
    private static final int TICKS = 16; // twice the steps after which sleeping contacts are examined

    /** Asserts that ten times the items cost at most twice as much. Each call makes its own world. */
    private void assertDoesNotGrow(IntToLongFunction searched) {
        long few = searched.applyAsLong(FEW);
        close();
        start();
        assertThat(searched.applyAsLong(10 * FEW)).as("after %d", few).isLessThanOrEqualTo(2 * few + 2);
    }

    private long searchedBy(Runnable calls) {
        long before = simulation.searched;
        calls.run();
        return simulation.searched - before;
    }

    /** Adds a row of tiles, 1 m wide each, whose tops are at y = 1.5; the first is at x = 0. */
    private B tiles(int count) {
        double[] boxes = new double[4 * count];
        for (int tile = 0; tile < count; tile++) {
            boxes[4 * tile] = tile;
            boxes[4 * tile + 2] = 0.5;
            boxes[4 * tile + 3] = 0.5;
        }
        return game.addFixed(0, 1, boxes);
    }

    @Test
    void aContactOfABodyOfManyShapesCostsNoSearch() {
        assertDoesNotGrow(count -> {
            attach(tiles(count), 1);
            EventStream events = driver.events(256);
            for (int box = 0; box < 5; box++) {
                attach(game.addBox(0.5 + 2 * box, 2), 2);
            }
            assertThat(shapesOfContacts(events, 20)).hasSizeGreaterThanOrEqualTo(5);
            attach(game.addBox(count - 5, 2), 3); // on tiles that nothing has touched
            return searchedBy(() ->
                    assertThat(shapesOfContacts(events, TICKS)).as("new ones").isNotEmpty());
        });
    }

    /** Once in eight steps, an adapter may look at each body that touches. */
    @Test
    void contactsOfManyBodiesCostNoSearch() {
        int count = 10 * FEW;
        attach(game.addFixed(0, 1, count, 0, count + 1, 0.5), 1);
        for (int box = 0; box < count; box++) {
            attach(game.addBox(2 * box, 2), 2);
        }
        driver.events(2048);
        tick(TICKS);
        assertThat(searchedBy(() -> tick(TICKS))).isLessThanOrEqualTo(count * TICKS / 5);
    }

    @Test
    void aSleepingContactCostsNoSearch() {
        assertDoesNotGrow(count -> {
            attach(tiles(count), 1);
            B box = attach(game.addBox(0.5, 2), 2);
            driver.events(256);
            tick(ASLEEP_TICK);
            assertThat(game.isAsleep(box)).isTrue();
            return searchedBy(() -> tick(TICKS));
        });
    }

    @Test
    void aShapeThatComesOrGoesCostsNoSearchForTheOthers() {
        assertDoesNotGrow(count -> {
            B tiles = attach(tiles(count), 1);
            attach(game.addBox(0.5, 2), 2);
            driver.events(256);
            tick(TICKS);
            return searchedBy(() -> {
                can(Ability.SHAPE_REMOVAL, game.removeShape(tiles));
                tick(TICKS);
            });
        });
    }

    @Test
    void attachAndDetachLookAtNoOtherBody() {
        assertDoesNotGrow(count -> {
            for (int box = 0; box < count; box++) {
                attach(game.addBox(2 * box, 5), box);
            }
            tick(1);
            return searchedBy(() -> {
                for (int box = 0; box < 5; box++) {
                    B added = attach(game.addBox(2 * box, 10), box);
                    attach(game.addBox(2 * box, 15), box);
                    removeDetached(added);
                }
            });
        });
    }

    @Test
    void aQueryForShapesReadsAStatedNumberOfItems() {
        int count = 3 * WorldSimulation.ITEMS_PER_QUERY;
        B tiles = attach(tiles(count), 1);
        List<B> bodies = new ArrayList<>(List.of(tiles, attach(game.addBox(0.5, 2), 2)));
        driver.events(256);
        tick(TICKS);
        List<Long> ids = bodies.stream().map(simulation::idOf).toList();
        List<@Nullable BodyShape> shapes = new ArrayList<>();
        for (int query = 0; query < 50 && shapes.size() < ids.size(); query++) {
            assertThat(searchedBy(() -> simulation.shapes(ids, shapes)))
                    .isLessThanOrEqualTo(WorldSimulation.ITEMS_PER_QUERY + 1 + 64); // a part too many, and links of ODE
        }
        assertThat(shapes).hasSize(2).doesNotContainNull().last().isEqualTo(simulation.shape(ids.get(1)));
        double[] bounds =
                ShapeMeasures.bounds(Objects.requireNonNull(shapes.get(0)).form(), game.pose(tiles));
        assertThat(bounds[3] - bounds[0]).as("none is missing").isCloseTo(count, within(0.01));
    }

    private Set<List<Integer>> shapesOfContacts(EventStream events, int ticks) {
        tick(ticks);
        Set<List<Integer>> shapes = new HashSet<>();
        events.drain(event -> shapes.add(List.of(event.shape(), event.otherShape())));
        shapes.remove(List.of(BodyEvent.NO_SHAPE, BodyEvent.NO_SHAPE)); // bodies that came
        return shapes;
    }
}
