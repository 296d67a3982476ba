package dev.escapement.state.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.Timeline;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Timelines that go with windows: copied when they change, and kept as they are while a reader has one. */
class ExchangeTimelineTest {

    /** One reader continues while the others hold a timeline each: it sees all timelines that are left. */
    @ParameterizedTest
    @CsvSource({"2, 1, 3", "3, 2, 4", "4, 8, 10"})
    void shouldUseExactlyAsManyTimelinesAsItSays(int windowSize, int readers, int timelines) {
        ExchangeFixture fixture = new ExchangeFixture(windowSize, readers);
        fixture.publish(windowSize);
        Set<Timeline> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        SnapshotReader reader = fixture.exchange.attach();
        for (int i = 0; i < readers + 100; i++) {
            fixture.changeTimeline();
            fixture.publish();
            reader.acquire();
            seen.add(reader.window().timeline());
            if (i < readers - 1) {
                reader = fixture.exchange.attach();
            }
        }
        assertThat(seen).hasSize(timelines);
    }

    @Test
    void shouldCopyATimelineOnlyWhenItHasChanged() {
        ExchangeFixture fixture = new ExchangeFixture(3, 1);
        SnapshotReader reader = fixture.exchange.attach();
        fixture.publish(3);
        reader.acquire();
        Timeline first = reader.window().timeline();
        for (int i = 0; i < 10; i++) {
            fixture.publish();
            reader.acquire();
            assertThat(reader.window().timeline()).isSameAs(first).isNotSameAs(fixture.timeline);
        }
        Timeline another = new Timeline(fixture.timeline.rate());
        another.start(7); // as many changes, but another timeline
        fixture.exchange.writer().publishTimeline(another);
        reader.acquire();
        assertThat(reader.window().timeline().simNanosAt(8)).isEqualTo(1);
    }
}
