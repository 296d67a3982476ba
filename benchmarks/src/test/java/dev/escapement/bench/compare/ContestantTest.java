package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContestantTest {

    /** Those whose steps run at a place. */
    static List<Contestant> at(Contestant.Place place) {
        return Arrays.stream(Contestant.values())
                .filter(contestant -> contestant.place() == place)
                .toList();
    }

    @Test
    void shouldHaveTheLoopsOfTheLiteratureInTheirOrder() {
        assertThat(at(Contestant.Place.ONE_THREAD).stream().map(Contestant::row))
                .containsExactly(
                        "1", "1a", "2", "3", "3a", "4", "5", "5a", "5b", "6", "6a", "6b", "6c", "7", "8", "9", "10");
    }

    @Test
    void shouldHaveTheServiceLast() {
        Contestant[] all = Contestant.values();
        assertThat(Arrays.copyOfRange(all, all.length - 3, all.length)).allMatch(Contestant::isEscapement);
        assertThat(Arrays.copyOf(all, all.length - 3)).noneMatch(Contestant::isEscapement);
    }
}
