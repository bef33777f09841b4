import DefaultTheme from 'vitepress/theme-without-fonts';
import './site.css';
import './home.css';

export default DefaultTheme;
