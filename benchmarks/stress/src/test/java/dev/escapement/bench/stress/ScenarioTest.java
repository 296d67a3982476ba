package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ScenarioTest {

    @Test
    void shouldSayFirstWhatIsWrong() {
        Scenario scenario = new Scenario("faulty", 7, Set.of(Promise.WHOLE, Promise.FRESH), trial -> {
            trial.check(Promise.FRESH).broken("tick 3 when 5 was published");
            throw new IllegalStateException("no such body");
        });
        StressReport report = scenario.run(null);
        assertThat(report.heldInFull()).isFalse();
        assertThat(report.text())
                .startsWith("Broken: it ended by java.lang.IllegalStateException: no such body. Seed 7 draws ")
                .contains(
                        "no snapshot changes while a reader holds it: never checked",
                        "no window is older than the tick published before acquiring it: broken 1 times");
    }

    @Test
    void shouldHoldOnlyIfEachPromiseWasCheckedAndHeld() {
        Scenario unchecked = new Scenario("unchecked", 1, Set.of(Promise.WHOLE, Promise.FRESH), trial -> {
            trial.check(Promise.WHOLE).held(1);
        });
        assertThat(unchecked.run(null).heldInFull()).isFalse();
        Scenario sound = new Scenario("sound", 1, Set.of(Promise.WHOLE), trial -> {
            trial.check(Promise.WHOLE).held(1234);
        });
        assertThat(sound.run(null).heldInFull()).isTrue();
        assertThat(sound.run(null).text()).startsWith("Held: sound kept 1 promises in 1,234 checks (seed 1).");
    }
}
