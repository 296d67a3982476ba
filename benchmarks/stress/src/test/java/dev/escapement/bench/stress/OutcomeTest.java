package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    @Test
    void shouldSayFirstWhatIsWrongAndThenTheVerdict() {
        Scenario scenario = new Scenario("faulty", Set.of(Promise.WHOLE, Promise.FRESH, Promise.FORWARDS), trial -> {
            trial.check(Promise.FORWARDS).held(1234);
            trial.check(Promise.FRESH).broken("tick 3 when 5 was published");
            throw new IllegalStateException("no such body");
        });
        assertThat(scenario.run(null).text().lines())
                .containsExactly(
                        "FAULT: faulty ended by java.lang.IllegalStateException: no such body",
                        "FAULT: faulty: 'no snapshot changes while a reader holds it' was never checked",
                        "FAULT: faulty: 'no window is older than the tick published before acquiring it' was broken 1 of 1"
                                + " times, first: tick 3 when 5 was published",
                        "faulty: broken in 1,235 checks, 0.0 s.");
    }

    @Test
    void shouldHoldOnlyIfEachPromiseWasCheckedAndHeld() {
        Scenario unchecked = new Scenario("unchecked", Set.of(Promise.WHOLE, Promise.FRESH), trial -> {
            trial.check(Promise.WHOLE).held(1);
        });
        assertThat(unchecked.run(null).held()).isFalse();
        Scenario sound = new Scenario("sound", Set.of(Promise.WHOLE), trial -> {
            trial.check(Promise.WHOLE).held(1);
        });
        assertThat(sound.run(null).held()).isTrue();
        assertThat(sound.run(null).text()).startsWith("sound: held in 1 checks, ");
    }
}
