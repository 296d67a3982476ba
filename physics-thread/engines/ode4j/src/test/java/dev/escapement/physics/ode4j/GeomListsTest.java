package dev.escapement.physics.ode4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.OdeHelper;

class GeomListsTest {

    private final Ode4jGame game = new Ode4jGame();
    private final GeomLists lists = new GeomLists(game.world(), geoms -> {});
    private final DBody body = OdeHelper.createBody(game.world());

    @AfterEach
    void close() {
        game.close();
    }

    @Test
    void shouldFollowABodyOfFewGeomsInTheSameStep() {
        SplittableRandom random = new SplittableRandom(1);
        for (int step = 0; step < 3000; step++) {
            List<DGeom> geoms = geoms();
            for (int change = random.nextInt(3); change > 0; change--) {
                if (geoms.size() < 60 && (geoms.isEmpty() || random.nextBoolean())) {
                    OdeHelper.createSphere(1).setBody(body);
                } else {
                    geoms.get(random.nextInt(geoms.size())).setBody(random.nextBoolean() ? null : body);
                }
                geoms = geoms();
                if (geoms.isEmpty()) {
                    break;
                }
            }
            lists.begin();
            assertThat(lists.of(body)).as("step %d", step).isEqualTo(geoms());
        }
    }

    @Test
    void shouldFollowABodyOfManyGeomsInAStepForEach64() {
        for (int geom = 0; geom < 300; geom++) {
            OdeHelper.createSphere(1).setBody(body);
        }
        assertThat(lists.of(body)).isEqualTo(geoms());
        geoms().get(17).destroy();
        for (int step = 0; step < 5; step++) {
            lists.begin();
            lists.of(body);
        }
        assertThat(lists.of(body)).isEqualTo(geoms());
    }

    private List<DGeom> geoms() {
        List<DGeom> geoms = new ArrayList<>();
        body.getGeomIterator().forEachRemaining(geoms::add);
        Collections.reverse(geoms);
        return geoms;
    }
}
