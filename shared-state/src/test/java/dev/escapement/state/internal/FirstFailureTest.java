package dev.escapement.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FirstFailureTest {

    private final FirstFailure failure = new FirstFailure();

    @Test
    void shouldKeepTheFirstAndSuppressTheOthers() {
        assertThat(failure.cause()).isEmpty();
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException second = new IllegalStateException("second");
        failure.add(first);
        failure.add(second);
        assertThat(failure.cause()).containsSame(first);
        failure.add(first); // a throwable cannot suppress itself
        assertThat(failure.cause()).containsSame(first);
        assertThat(first.getSuppressed()).containsExactly(second);
        assertThat(second.getSuppressed()).isEmpty();
    }
}
