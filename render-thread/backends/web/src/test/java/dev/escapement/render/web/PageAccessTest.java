package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Requests without the secret, or from another origin, get nothing. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageAccessTest {

    private final ServedPage served = new ServedPage();
    private final String authority = served.uri.getAuthority();
    private final String path = served.path();

    @AfterAll
    void close() {
        served.close();
    }

    private static void shouldBeEmpty(String response, String status) {
        assertThat(ServedPage.status(response)).isEqualTo(status);
        String[] parts = response.split("\r\n\r\n", 2);
        assertThat(parts[1]).isEmpty();
        assertThat(parts[0])
                .doesNotContainIgnoringCase("jetty")
                .doesNotContain("Server:")
                .doesNotContain("Exception");
    }

    @Test
    void shouldReportNothingWithoutTheToken() throws IOException {
        assertThat(path).as("128 bits").matches("/[0-9a-f]{32}/");
        assertThat(PageAccess.newSecret()).isNotEqualTo(PageAccess.newSecret());
        char last = path.charAt(32);
        List<String> wrong =
                new ArrayList<>(List.of("/", "/index.html", "/live", "/page.css", "/nothing", "/?" + path));
        wrong.add(path.substring(0, 32) + (last == '0' ? '1' : '0') + "/");
        wrong.add(path.substring(0, 32) + "/");
        wrong.add(path.substring(0, 33) + "0/");
        wrong.add(path.toUpperCase(Locale.ROOT) + "A/");
        for (String target : wrong) {
            shouldBeEmpty(served.get(target, authority), "403");
        }
        shouldBeEmpty(
                served.exchange("GET /live HTTP/1.1\r\nHost: " + authority + "\r\nOrigin: http://" + authority + "\r\n"
                        + ServedPage.KEY + "\r\n"),
                "403");
    }

    @Test
    void shouldServeOnlyItsOwnHost() throws IOException {
        int port = served.uri.getPort();
        for (String host : List.of(
                "evil.example", "evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:" + port)) {
            shouldBeEmpty(served.get(path + "three.core.min.js", host), "403");
        }
        for (String host : List.of("127.0.0.1:" + port, "localhost:" + port)) {
            assertThat(ServedPage.status(served.get(path + "three.core.min.js", host)))
                    .isEqualTo("200");
        }
    }

    @Test
    void shouldOpenASocketOnlyForItsOwnOrigin() throws IOException {
        String upgrade = "GET " + path + "live HTTP/1.1\r\nHost: " + authority + "\r\n" + ServedPage.KEY;
        String host = "http://" + authority;
        for (String origin : List.of(
                "",
                "Origin: http://evil.example\r\n",
                "Origin: null\r\n",
                "Origin: https://" + authority + "\r\n",
                "Origin: " + host + "\r\nOrigin: " + host + "\r\n",
                "Origin: " + host + ".evil.example\r\n")) {
            shouldBeEmpty(served.exchange(upgrade + origin + "\r\n"), "403");
        }
        shouldBeEmpty(served.get(path + "live", authority), "403");
        shouldBeEmpty(
                served.exchange(
                        "GET " + path + "live HTTP/1.1\r\nHost: " + authority + "\r\nOrigin: " + host + "\r\n\r\n"),
                "426");
    }

    @Test
    void shouldOnlyGet() throws IOException {
        for (String method : List.of("POST", "HEAD", "BREW")) {
            String response = served.exchange(method + " " + path + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
            shouldBeEmpty(response, "405");
            assertThat(response).contains("Allow: GET");
        }
    }

    @Test
    void shouldServeNothingButItsFiles() throws IOException {
        for (String name : List.of(
                "nothing.js", "../LivePage.class", "LivePage.class", "..", "/", "page.css/", "live/", "\u0001.js")) {
            assertThat(ServedPage.status(served.get(path + name))).as(name).isIn("404", "400");
        }
        for (String encoded : List.of("%2e%2e/LivePage.class", "%2fetc/passwd", "a%00.js", "..;/x")) {
            shouldBeEmpty(served.get(path + encoded), "400");
        }
        shouldBeEmpty(served.get(path.substring(0, 33)), "307");
    }

    @Test
    void shouldSayHowBrowsersMustTreatIt() throws IOException {
        String response = served.get(path + "OrbitControls.js");
        assertThat(response)
                .contains("Content-Type: text/javascript;charset=utf-8")
                .contains("X-Content-Type-Options: nosniff")
                .contains("Referrer-Policy: no-referrer")
                .contains("Cache-Control: no-store")
                .contains("default-src 'none'; script-src 'self'; style-src 'self';")
                .contains("connect-src 'self' ws://" + authority + " wss://" + authority + ";")
                .contains("frame-ancestors 'none'")
                .doesNotContain("Access-Control-")
                .doesNotContain("Server:");
    }

    @Test
    void shouldGiveEachPageItsOwnNonce() throws IOException {
        String first = served.get(path).replaceFirst("(?s).*script-src 'self' 'nonce-([0-9a-f]{32})'.*", "$1");
        assertThat(served.get(path)).doesNotContain(first).doesNotContain("@NONCE@");
    }

    @Test
    void shouldRefuseHeadersThatAreTooLong() throws IOException {
        String start = "GET " + path + " HTTP/1.1\r\nHost: " + authority + "\r\n";
        shouldBeEmpty(served.exchange(start + "X: " + "x".repeat(PageServer.MAX_HEADER_BYTES) + "\r\n\r\n"), "431");
        shouldBeEmpty(served.get(path + "x".repeat(PageServer.MAX_HEADER_BYTES)), "414");
        shouldBeEmpty(served.exchange("GET \r\n\r\n"), "400");
        shouldBeEmpty(served.exchange("GET " + path + " HTTP/1.1\r\n\r\n"), "400");
    }
}
