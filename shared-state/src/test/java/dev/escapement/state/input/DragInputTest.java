package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DragInputTest {

    private final InputRing ring = new InputRing(4, new ManualClock(0));
    private final InputSampler sampler = new InputSampler(ring);

    @ParameterizedTest
    @CsvSource({"0, 1", "5, 7", "16777215, 1048575", "16777216, 1", "268435455, 1048575"})
    void shouldHoldTheBodyOfThisSlotAndGeneration(int slot, int generation) {
        long body = BodyId.of(slot, generation);
        assertThat(DragInput.hold(ring, 0, body)).isTrue();
        InputEvent event = sampler.sample(0, 0).event(0);
        assertThat(event.code()).isEqualTo(DragInput.HOLD);
        long held = DragInput.body(event);
        assertThat(BodyId.slot(held)).isEqualTo(slot);
        assertThat(DragInput.isSame(held, body)).isTrue();
        assertThat(DragInput.isSame(held, BodyId.of(slot, generation ^ 2))).isFalse();
        assertThat(DragInput.isSame(held, BodyId.of(slot, generation ^ (1 << 19))))
                .isFalse();
        assertThat(DragInput.isSame(held, BodyId.of(slot ^ 1, generation))).isFalse();
        assertThat(DragInput.isSame(held, BodyId.of(slot ^ (1 << 27), generation)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1048577", "-1", "2147483647"})
    void shouldAlsoHoldABodyWhoseGenerationDoesNotFit(int generation) {
        DragInput.hold(ring, 0, BodyId.of(3, generation));
        long held = DragInput.body(sampler.sample(0, 0).event(0));
        assertThat(DragInput.isSame(held, BodyId.of(3, generation))).isTrue();
        assertThat(DragInput.isSame(held, BodyId.of(3, generation - 2))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"-1", "268435456"})
    void shouldRefuseASlotThatNoWorldHas(int slot) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DragInput.hold(ring, 0, BodyId.of(slot, 1)))
                .withMessageContaining("slot " + slot);
        assertThat(ring.accepted()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "NaN, 1, 2",
        "1, NaN, 2",
        "1, 2, NaN",
        "Infinity, 1, 2",
        "1, -Infinity, 2",
        "1, 2, Infinity",
        "1, 2, 1e39"
    })
    void shouldRefuseAPlaceThatIsNone(double x, double y, double z) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DragInput.to(ring, 0, x, y, z))
                .withMessageContaining("(" + x + ", " + y + ", " + z + ")");
        assertThat(ring.accepted()).isZero();
    }

    @Test
    void shouldSayWhetherTheRingHasRoomForAll() {
        assertThat(DragInput.to(ring, 0, 1, 2, 3)).isTrue();
        assertThat(DragInput.hold(ring, 0, BodyId.of(1, 1))).isTrue();
        assertThat(DragInput.to(ring, 0, 1, 2, 3)).as("room for a part of it").isFalse();
        assertThat(DragInput.hold(ring, 0, BodyId.of(1, 1))).isFalse();
        assertThat(DragInput.end(ring, 0)).isFalse();
        sampler.sample(0, 0);
        assertThat(DragInput.end(ring, 0)).isTrue();
        assertThat(sampler.sample(0, 0).event(0).code()).isEqualTo(DragInput.END);
    }
}
