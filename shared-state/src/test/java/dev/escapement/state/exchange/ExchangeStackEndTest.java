package dev.escapement.state.exchange;

import dev.escapement.state.StackEnd;
import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An acquire that an error ends leaves the reader with a window of its own; a publish leaves what readers hold unchanged. */
@Timeout(120)
class ExchangeStackEndTest {

    /** Each in a machine of its own, which has linked nothing yet. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    void shouldHoldAWholeWindowWhereTheStackEnds(String option) throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(AcquiresAtStackEnd.class, option);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
    void shouldResumeOrRefuseWhereTheStackEndedAPublish(String option) throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(PublishesAtStackEnd.class, option);
    }
}
