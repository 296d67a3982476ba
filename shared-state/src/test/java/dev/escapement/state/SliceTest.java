package dev.escapement.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 100})
    void shouldTakeEachSeedInJustOnePart(int parts) {
        assertThat(IntStream.rangeClosed(1, parts)
                        .boxed()
                        .flatMap(number -> new Slice(number, parts).seeds(100).boxed()))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 100).boxed().toList());
    }

    @Test
    void shouldLeaveNoPartEmpty() {
        assertThat(IntStream.rangeClosed(1, 8)
                        .boxed()
                        .flatMap(number -> new Slice(number, 8).of(List.of("a", "b", "c"))))
                .containsExactly("a", "b", "c", "a", "b", "c", "a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "0/8", "9/8", "1/0", "a/b", "-1/8", "1/99999"})
    void shouldRefuseWhatIsNoPart(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Slice.parse(text));
    }
}
