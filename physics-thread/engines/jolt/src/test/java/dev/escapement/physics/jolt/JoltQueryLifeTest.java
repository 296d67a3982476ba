package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.Shape;
import com.github.stephengold.joltjni.ShapeRef;
import com.github.stephengold.joltjni.enumerate.EActivation;
import dev.escapement.state.Logged;
import java.util.logging.LogRecord;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Tests how long a query world lives, the bodies that it keeps, and the calls that it refuses. */
@NullMarked
class JoltQueryLifeTest extends QueriedWorld {

    @Test
    void shouldCountBodiesThatMoveAndAreNotAttached() {
        try (Logged logged = new Logged("physics")) {
            attach(0, 5);
            queries();
            assertThat(logged.records).isEmpty();
            game.addBox(3, 4);
            game.addPlatform(20, 6);
            JoltQueryWorld queries = queries();
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains("will not hit 2 bodies", "Attach bodies that move");
            ticks(3);
            queries.at(now());
            assertThat(castDown(queries.system(), 3)).isCloseTo(20, within(1e-3f));
        }
    }

    @Test
    void shouldLetGoOfEveryShape() {
        BoxShape shape = new BoxShape(1, 1, 1);
        Body box = attach(0, 5);
        game.bodyInterface().setShape(box.getId(), shape, false, EActivation.Activate);
        Shape counted = shape;
        int before = counted.getRefCount();
        JoltQueryWorld queries = JoltQueryWorld.of(simulation, PAST_TICKS);
        ticks(3);
        assertThat(counted.getRefCount()).as("offered").isEqualTo(before + 1);
        queries.at(now());
        assertThat(counted.getRefCount()).as("and placed").isEqualTo(before + 2);
        simulation.reshaped(box);
        tick();
        assertThat(counted.getRefCount()).as("and offered again").isEqualTo(before + 3);
        queries.close();
        assertThat(counted.getRefCount()).isEqualTo(before);
        simulation.reshaped(box);
        tick(); // the physics thread notices
        assertThat(counted.getRefCount()).isEqualTo(before);
        queries.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> queries.at(now()))
                .withMessageContaining("query world was closed");
        assertThatIllegalStateException().isThrownBy(queries::system).withMessageContaining("was closed");
    }

    @Test
    void shouldFreeBodiesThatNoMomentCanShow() {
        ShapeRef kept = new BoxShape(1, 1, 1).toRef();
        Shape shape = kept.getPtr();
        JoltQueryWorld queries = JoltQueryWorld.of(simulation, 5);
        open.add(queries);
        ticks(3);
        int before = shape.getRefCount();
        for (int i = 0; i < 100; i++) {
            Body box = attach(0, 5);
            game.bodyInterface().setShape(box.getId(), shape, false, EActivation.Activate);
            tick();
            queries.at(now());
            simulation.detach(box);
            game.remove(box);
        }
        assertThat(shape.getRefCount() - before).isBetween(1, 15);
        assertThat(castDown(queries.system(), 0)).isCloseTo(14, within(0.1f));
        for (int i = 0; i < 7; i++) { // no other body takes the slot
            tick();
            queries.at(now());
        }
        assertThat(shape.getRefCount()).isEqualTo(before);
        kept.close();
    }

    @Test
    void shouldFreeShapesThatNoMomentCanShow() {
        ShapeRef kept = new BoxShape(1, 1, 1).toRef();
        Shape shape = kept.getPtr();
        Body box = attach(0, 5);
        JoltQueryWorld queries = JoltQueryWorld.of(simulation, 5);
        open.add(queries);
        ticks(3);
        int before = shape.getRefCount();
        game.bodyInterface().setShape(box.getId(), shape, false, EActivation.Activate);
        simulation.reshaped(box);
        tick();
        queries.at(now());
        game.bodyInterface().setShape(box.getId(), new BoxShape(2, 2, 2), false, EActivation.Activate);
        simulation.reshaped(box);
        for (int i = 0; i < 5; i++) {
            tick();
            queries.at(now());
            assertThat(shape.getRefCount()).as("can be shown").isEqualTo(before + 1);
            if (i == 3) {
                simulation.reshaped(box); // replaces the first replacement, too
            }
        }
        tick();
        queries.at(now());
        assertThat(shape.getRefCount()).isEqualTo(before);
        kept.close();
    }

    @Test
    void shouldSayThatItWasNotAskedForTooLong() {
        JoltQueryWorld queries = queries();
        Body box = attach(0, 5);
        for (int i = 0; i < 2048 + 2; i++) {
            simulation.reshaped(box);
            tick();
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> queries.at(now()))
                .withMessageContaining("more than 2000 bodies came");
    }

    @Test
    void shouldOutliveTheServiceButNotTheLayers() {
        attach(0, 5);
        JoltQueryWorld queries = JoltQueryWorld.of(simulation, PAST_TICKS);
        open.add(queries);
        ticks(3);
        driver.close();
        queries.at(now());
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(0.1f));
        game.close();
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(0.1f));
        assertThatIllegalStateException()
                .isThrownBy(() -> queries.at(now()))
                .withMessageContaining("has freed the layers");
    }
}
