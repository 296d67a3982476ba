package example.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs each migrated loop until its body has fallen a metre, and checks that it draws the fall. */
@Timeout(60)
class MigrationTest {

    static Stream<BiConsumer<World, Screen>> loops() {
        return Stream.of(AccumulatorBefore::run, PhysicsThreadAfter::run);
    }

    @ParameterizedTest
    @MethodSource("loops")
    void shouldShowTheFall(BiConsumer<World, Screen> loop) {
        List<Double> drawn = new ArrayList<>();
        Screen screen = new Screen() {
            @Override
            public boolean isOpen() {
                return drawn.isEmpty() || drawn.get(drawn.size() - 1) > 99;
            }

            @Override
            public void draw(double y) {
                if (drawn.isEmpty() || drawn.get(drawn.size() - 1) != y) {
                    drawn.add(y);
                }
            }
        };
        loop.accept(new World(), screen);
        // The number of frames and the drawn heights depend on the machine, because these loops run in real time. So
        // only their order is checked.
        assertThat(drawn)
                .hasSizeGreaterThan(1)
                .allMatch(y -> y <= 100)
                .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }
}
