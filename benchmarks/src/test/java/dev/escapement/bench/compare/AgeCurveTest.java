package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.compare.AgeCurve.Point;
import dev.escapement.render.interpolation.Interpolation.Positions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the recipe of looking ahead promises, on a virtual clock. */
class AgeCurveTest {

    private static Point find(List<Point> points, Positions predictor, double ahead) {
        return points.stream()
                .filter(point -> point.predictor() == predictor && point.lookAheadTicks() == ahead)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldBeYoungAndEvenAndNearlyRightInFreeFlight() {
        List<Point> points = AgeCurve.measure(Motions.FREE_FLIGHT, LoadProfile.HEAVY);
        Point known = find(points, Positions.LINEAR, 0);
        assertThat(known.ageMillis()).isCloseTo(25.44, within(0.1));
        assertThat(known.positionMost()).isZero();
        assertThat(known.rotationMost()).isZero();
        for (Point point : points) {
            assertThat(point.ageMillis()).isCloseTo(25.44 - 10 * point.lookAheadTicks(), within(0.1));
            assertThat(point.timeErrorMillis()).isLessThan(0.01);
        }
        assertThat(find(points, Positions.LINEAR, 1).positionP99()).isBetween(0.5, 1.5);
        assertThat(find(points, Positions.HERMITE, 1).positionP99()).isBetween(0.2, 1.0);
        assertThat(find(points, Positions.LINEAR, 2).positionP99()).isBetween(2.0, 4.0);
    }

    @Test
    void shouldBeNearlyRightWhereBodiesRoll() {
        Point point = find(AgeCurve.measure(Motions.ROLLING, LoadProfile.LIGHT), Positions.LINEAR, 1);
        assertThat(point.ageMillis()).isLessThan(8);
        assertThat(point.positionP99()).isLessThan(0.5);
        assertThat(point.rotationP99()).isLessThan(1);
    }
}
