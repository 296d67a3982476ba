package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuccessionTest {

    private final List<String> closed = new ArrayList<>();
    private final Succession<String> succession = new Succession<>(view -> !view.equals("not ready"), this::close);

    /** Closes a view, and submits another one at the moment at which {@link Succession#take} replaces its candidate. */
    private void close(String view) {
        closed.add(view);
        if (view.equals("not ready")) {
            succession.submit("third");
        }
    }

    @Test
    void shouldLoseNoViewThatIsSubmittedDuringTake() {
        succession.submit("not ready");
        assertThat(succession.take()).isNull();
        succession.submit("second");
        assertThat(succession.take()).isEqualTo("third");
        assertThat(closed).containsExactly("not ready", "second");
    }
}
