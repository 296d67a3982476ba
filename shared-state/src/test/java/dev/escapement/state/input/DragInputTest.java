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
    @CsvSource({"0, 1", "5, 7", "16777215, 1048575", "16777216, 1", "268435455, 1048575", "3, 1048577", "3, -1"})
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

    @Test
    void shouldRefuseASlotOrAPlaceThatNoWorldHas() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DragInput.hold(ring, 0, BodyId.of(268_435_456, 1)))
                .withMessageContaining("slot 268435456");
        assertThatIllegalArgumentException().isThrownBy(() -> DragInput.hold(ring, 0, BodyId.of(-1, 1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DragInput.to(ring, 0, 1, Double.NaN, 1e39))
                .withMessageContaining("(1.0, NaN, 1.0E39)");
        assertThatIllegalArgumentException().isThrownBy(() -> DragInput.to(ring, 0, 1, 2, 1e39));
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
