uniform sampler2D image;
in vec2 at;
out vec4 pixel;

void main() {
    pixel = texture(image, at);
}
