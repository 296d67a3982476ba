package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.TickRate;
import java.util.List;
import org.junit.jupiter.api.Test;

class DigestPoolTest {

    private final DigestPool pool = new DigestPool(
            new LogHeader(
                    new RunDescription("spring", "1", "", 0, TickRate.hertz(100)),
                    List.of("x", "y", "z"),
                    List.of(),
                    true),
            4);

    @Test
    void shouldNeedAsManyAsTicksWait() {
        LoggedTick first = pool.newTick();
        LoggedTick second = pool.newTick();
        BodyDigests one = pool.lend(first);
        BodyDigests other = pool.lend(second);
        assertThat(other).isNotSameAs(one);
        pool.takeBack(first);
        assertThat(first.digests.bodies()).isZero();
        assertThat(pool.lend(pool.newTick())).isSameAs(one);
        pool.takeBack(second);
        assertThat(pool.lend(first)).isSameAs(other);
    }

    /** If the simulation throws while its bodies are read, the place has them already. */
    @Test
    void shouldLetATickKeepWhatItHas() {
        LoggedTick tick = pool.newTick();
        assertThat(pool.lend(tick)).isSameAs(pool.lend(tick));
    }

    @Test
    void shouldTakeNothingBackFromATickWithoutBodies() {
        LoggedTick tick = pool.newTick();
        pool.takeBack(tick);
        BodyDigests own = pool.lend(tick);
        assertThat(own).isNotSameAs(pool.newTick().digests);
        assertThat(own.width).isEqualTo(3);
    }
}
