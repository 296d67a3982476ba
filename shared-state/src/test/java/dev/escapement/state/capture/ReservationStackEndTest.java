package dev.escapement.state.capture;

import dev.escapement.state.StackEnd;
import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reservation that the virtual machine ends with an error costs at most its slot. */
@Timeout(120)
class ReservationStackEndTest {

    /** Each in a machine of its own, which has linked nothing yet. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    void shouldGiveNoIdTwiceAndBlockNoThreadWhereTheStackEnds(String option) throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(ReservesAtStackEnd.class, option);
    }
}
