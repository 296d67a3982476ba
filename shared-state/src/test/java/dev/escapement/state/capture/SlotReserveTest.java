package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.snapshot.BodyId;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SlotReserveTest {

    private final SlotReserve reserve = new SlotReserve(3, 6);

    @Test
    void shouldGiveNewSlotsWhereNoneIsUsedAgain() {
        assertThat(reserve.isUsed()).isFalse();
        assertThat(reserve.reserve()).isEqualTo(BodyId.of(0, 7));
        assertThat(reserve.takeNew()).isEqualTo(1);
        assertThat(reserve.reserve()).isEqualTo(BodyId.of(2, 7));
        assertThat(reserve.everUsed()).isEqualTo(3);
        assertThat(reserve.isUsed()).isTrue();
    }

    @Test
    void shouldGiveSlotsThatAreUsedAgainFirst() {
        assertThat(reserve.put(new AtomicLong(BodyId.of(0, 9)))).isTrue();
        assertThat(reserve.reserve()).isEqualTo(BodyId.of(0, 9));
        assertThat(reserve.reserve()).isEqualTo(BodyId.of(0, 7));
    }

    @Test
    void shouldLetTheFirstDecideWhetherBodiesAreCounted() {
        assertThat(reserve.count(false)).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(reserve::reserve)
                .withMessage("no id can be reserved: the simulation counts its bodies from 0; let it use"
                        + " PoseWriter.spawn and despawn instead of bodyCount");
        assertThat(reserve.count(false)).isTrue();
        assertThat(reserve.isUsed()).isFalse();
        assertThat(reserve.everUsed()).isZero();

        SlotReserve other = new SlotReserve(3, 0);
        assertThat(other.reserve()).isEqualTo(BodyId.of(0, 1));
        assertThat(other.count(false)).isFalse();
        assertThat(other.reserve()).isEqualTo(BodyId.of(1, 1));

        assertThat(other.count(true)).isTrue();
        assertThat(other.everUsed()).isEqualTo(2);
        assertThat(other.isUsed()).isFalse();
        assertThatIllegalStateException().isThrownBy(other::reserve);
        assertThatIllegalStateException().isThrownBy(other::requireReserving);
        other.giveBack(BodyId.of(1, 1));
        assertThat(other.nextGivenBack()).as("nobody would ask").isNull();
        assertThat(other.takeNew()).isEqualTo(2);
    }
}
